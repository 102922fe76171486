import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Snapshot } from '../stats/stats.ts'
import { createTarget } from '../target.ts'
import { RawClient } from './raw-client.ts'

export type WatchedTarget = Awaited<ReturnType<typeof watchedTarget>>

/** A target whose counts are looked at over one connection, so that the numbers of connections are known. */
export async function watchedTarget() {
  const target = await createTarget()
  const watching = new Agent({ keepAlive: true, maxSockets: 1 })
  const clients = new Set<RawClient>()
  const ask = (path: string, { agent = watching, method = 'GET' } = {}) =>
    new Promise<string>((resolve, reject) => {
      const req = request(target.url + path, { agent, method }, response => {
        let text = ''
        response.on('data', chunk => {
          text += chunk
        })
        response.on('end', () => resolve(text)).on('error', reject)
      })
      req.on('error', reject).end()
    })
  const stats = async (query = '') => JSON.parse(await ask(`/stats${query}`)) as Snapshot
  return {
    url: target.url,
    ask,
    stats,
    reset: async () => JSON.parse(await ask('/stats/reset', { method: 'POST' })) as Snapshot,
    /** When nothing is under way any more; the test's own limit ends a wait that is in vain. */
    settled: async () => {
      while ((await stats()).inFlight > 0) await sleep(5)
    },
    /** A bare connection that is closed with the target. */
    connected: async () => {
      const client = await RawClient.to(target.url)
      clients.add(client)
      return client
    },
    close: async () => {
      for (const client of clients) client.close()
      watching.destroy()
      await target.close()
    },
  }
}

/** The bytes of a request's head. */
export const head = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'host: a', ...headers].join('\r\n')}\r\n\r\n`

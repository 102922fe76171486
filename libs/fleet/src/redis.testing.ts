import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRedis } from '@onrush/servers/redis'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { connectRedis, type Redis } from './redis.ts'

/** A real Redis for one test file, empty before each test. */
export function testRedis(): { readonly redis: Redis; readonly url: string; open(): Promise<Redis> } {
  const dataDir = mkdtempSync(join(tmpdir(), 'onrush-fleet-'))
  const opened: Redis[] = []
  let url = ''
  let redis: Redis | undefined
  let stop: (() => Promise<void>) | undefined
  const open = async () => {
    const connection = await connectRedis(url, 'blocking', error => {
      throw error
    })
    opened.push(connection)
    return connection
  }
  beforeAll(async () => {
    const server = await startRedis({ dataDir })
    url = server.url
    stop = () => server.stop()
    redis = await open()
  }, 120_000)
  beforeEach(async () => {
    await redis?.flushall()
  })
  afterAll(async () => {
    for (const connection of opened) connection.disconnect()
    await stop?.()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return {
    get redis() {
      if (redis === undefined) throw new Error('Redis is there only while tests run')
      return redis
    },
    get url() {
      return url
    },
    open,
  }
}

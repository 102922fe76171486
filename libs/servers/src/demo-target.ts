import { once } from 'node:events'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { startChild } from './child.ts'

const main = join(resolve(import.meta.dirname, '../../..'), 'services/demo-target/src/main.ts')

interface Counts {
  readonly seen: number
  readonly completed: number
  readonly aborted: number
  readonly inFlight: number
  readonly bytes: { readonly received: number; readonly sent: number }
  readonly statuses: Readonly<Record<string, number>>
}

interface CallCounts {
  readonly seen: number
  readonly completed: number
  readonly aborted: number
  readonly inFlight: number
  readonly codes: Readonly<Record<string, number>>
}

/** What the target counted since its start or the last reset; requests for these counts are not among them. */
export interface DemoTargetStats extends Counts {
  readonly since: string
  /** By `GET /json 200`. */
  readonly responses: Readonly<Record<string, number>>
  readonly routes: Readonly<Record<string, Counts>>
  readonly names: Readonly<Record<string, Counts>>
  readonly connections: { readonly used: number; readonly opened: number; readonly open: number }
  /** By method (`shop.Catalog/GetItem`), with the codes they were answered with. */
  readonly grpc: Readonly<Record<string, CallCounts>>
  /** By JSON-RPC method; 0 is a result. */
  readonly rpc: Readonly<Record<string, CallCounts>>
  /** The values of `x-row` and `?row=`, when asked for. */
  readonly rows?: unknown
}

export interface DemoTarget {
  readonly url: string
  readonly port: number
  /** `127.0.0.1:41234`, where shop.Catalog and shop.Chat are. */
  readonly grpc: string
  readonly pid: number
  stats(options?: { rows?: boolean }): Promise<DemoTargetStats>
  /** Clears the counts, and gives what they were. */
  resetStats(): Promise<DemoTargetStats>
  stop(): Promise<void>
  kill(): Promise<void>
}

interface DemoTargetOptions {
  readonly https?: boolean
  /** gRPC is on the next one; without it both take free ones. */
  readonly port?: number
}

/** The demo target as a process of its own. */
export async function startDemoTarget({ https = false, port = 0 }: DemoTargetOptions = {}): Promise<DemoTarget> {
  const child = await startChild({
    title: 'the demo target',
    command: process.execPath,
    args: [main, '--port', String(port), ...(https ? ['--https'] : [])],
    ready: /^demo target on (https?:\/\/\S+)\ngrpc on (\S+)\n/m,
  })
  const url = child.announced[1] ?? ''
  return {
    url,
    port: Number(new URL(url).port),
    grpc: child.announced[2] ?? '',
    pid: child.pid,
    stats: ({ rows = false } = {}) => ask('GET', new URL(rows ? '/stats?rows=1' : '/stats', url)),
    resetStats: () => ask('POST', new URL('/stats/reset', url)),
    stop: child.stop,
    kill: child.kill,
  }
}

/** Not `fetch`: the target's certificate is its own, and a connection kept alive would show in the counts of open ones. */
async function ask(method: string, url: URL): Promise<DemoTargetStats> {
  const options = { method, agent: false as const, rejectUnauthorized: false }
  const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options)
  request.end()
  const [response] = await once(request, 'response')
  const body = await text(response)
  if (response.statusCode !== 200) throw new Error(`${method} ${url} answered ${response.statusCode}: ${body}`)
  return JSON.parse(body)
}

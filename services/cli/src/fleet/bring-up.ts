import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '@onrush/protocol/job'
import { startChild } from '@onrush/servers/child'
import type { DemoTarget } from '@onrush/servers/demo-target'
import { type Redis, startRedis } from '@onrush/servers/redis'
import type { Io } from '../io.ts'
import { root } from '../tree.ts'
import { demoTargetAt, usualPort } from './demo-target-at.ts'
import { prefixed } from './log-lines.ts'
import { reporterApi } from './reporter-api.ts'
import { serviceEnv } from './service-flags.ts'

export interface FleetFlags {
  readonly workers: number
  readonly port: number
  readonly threads: number | undefined
  readonly redis: string | undefined
  readonly data: string | undefined
  readonly simulations: string | undefined
  readonly demo: boolean
}

export interface LocalFleet {
  readonly url: string
  readonly demo: DemoTarget | undefined
  /** Settles when a part without which nothing works has ended by itself. */
  readonly broken: Promise<string>
  /** Workers first, which drain; then the reporter, once it has built what they leave; then what all of them needed. */
  end(): Promise<void>
  /** Everything at once. */
  kill(): Promise<void>
}

/** Beyond the workers' own grace; what has not ended then never will. */
const drainMs = 45_000
const reportMs = 30_000

/** A whole fleet on this machine: Redis where none is given, a reporter, workers. What was started ends with us. */
export async function bringUp(flags: FleetFlags, io: Io): Promise<LocalFleet> {
  const { workers, port, threads, simulations, demo } = flags
  const say = (text: string) => io.err.write(`${text}\n`)
  const data = resolve(io.cwd, flags.data ?? io.env.ONRUSH_DATA ?? '.data')
  const url = flags.redis ?? io.env.REDIS_URL
  const started: (() => Promise<void>)[] = []
  let redis: Redis | undefined
  try {
    if (url === undefined || url === '') {
      redis = await startRedis({ dataDir: join(data, 'redis'), say })
      started.push(() => redis?.kill() ?? Promise.resolve())
    }
    const target = demo ? await demoTargetAt(usualPort) : undefined
    if (target !== undefined) started.push(() => target.kill())
    const names = ['reporter', ...Array.from({ length: workers }, (_, i) => `worker ${i + 1}`)]
    const width = Math.max(...names.map(name => name.length))
    const begin = async (kind: 'reporter' | 'worker', name: string, own: { port: number; id: string | undefined }) => {
      const env = serviceEnv(
        {
          ...own,
          redis: redis?.url ?? url,
          host: undefined,
          data,
          simulations,
          threads: kind === 'worker' ? threads : undefined,
        },
        io,
      )
      const child = await startChild({
        title: `the ${name}`,
        command: io.node,
        args: [join(root, `services/${kind}/src/main.ts`)],
        cwd: io.cwd,
        env,
        ready: new RegExp(`^${kind} \\S+ on (http\\S+)$`, 'm'),
        stopWithinMs: drainMs,
        onOutput: prefixed(name, width, text => io.err.write(text)),
      })
      started.push(() => child.kill())
      return child
    }
    const reporter = await begin('reporter', 'reporter', { port, id: undefined })
    const reporterUrl = reporter.announced[1] ?? ''
    const at = new URL(reporterUrl).port
    const hands = await Promise.all(
      Array.from({ length: workers }, (_, i) => begin('worker', `worker ${i + 1}`, { port: 0, id: `w${i + 1}-${at}` })),
    )
    return {
      url: reporterUrl,
      demo: target,
      broken: reporter.ended.then(() => 'the reporter has ended'),
      async end() {
        await Promise.all(hands.map(child => child.stop()))
        await untilReported(reporterUrl, io)
        await reporter.stop()
        await target?.stop()
        await redis?.stop()
      },
      async kill() {
        await Promise.all(started.map(end => end()))
      },
    }
  } catch (error) {
    await Promise.all(started.map(end => end()))
    throw error
  }
}

/** Runs that wait in the queue go on when the fleet is up again; those that had begun get their report now. */
async function untilReported(url: string, io: Io): Promise<void> {
  const open = new Set<Job['status']>(['starting', 'running', 'gathering'])
  const api = reporterApi(url, io.env.ONRUSH_TOKEN)
  for (let waited = 0; waited < reportMs; waited += 200) {
    const jobs = await api.call('GET /api/jobs').catch(() => {
      // A reporter that answers no more has nothing left to wait for.
      return []
    })
    if (!jobs.some(job => open.has(job.status))) return
    await sleep(200)
  }
}

// What a fleet costs its reporter and its Redis: simulated workers that send real frames (bar: growth no more than linear).
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { announceReady, startInstant } from '@onrush/fleet/barrier'
import { appendFrame, replaceFrames } from '@onrush/fleet/frame-log'
import { beatMs, sendHeartbeat } from '@onrush/fleet/heartbeat'
import { type ShardReturn, WorkerJob } from '@onrush/fleet/jobs'
import { channels } from '@onrush/fleet/names'
import { takeShards } from '@onrush/fleet/queues'
import { connectRedis, type Redis } from '@onrush/fleet/redis'
import { foldFrames } from '@onrush/metrics/frame'
import { allocateMemory } from '@onrush/metrics/memory'
import { Recorder } from '@onrush/metrics/recorder'
import { ShardFrames } from '@onrush/metrics/shard-frames'
import type { Frame } from '@onrush/protocol/frame'
import type { NodeRecord } from '@onrush/protocol/node'
import { protocolVersion } from '@onrush/protocol/protocol-version'
import type { RunHeader } from '@onrush/protocol/run-log'
import { logLine } from '@onrush/report/run-log-lines'
import { ended, Fleet, reportOf, start } from '../test/support/fleet.ts'

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '50,200' },
    seconds: { type: 'string', default: '60' },
    steps: { type: 'string', default: '5' },
    rate: { type: 'string', default: '100' },
  },
})
const seconds = Number(values.seconds)
const population = 'single'

/** One second of a worker that sends `rate` requests over `steps` steps: what a real one measures, made by its recorder. */
function realFrames(): Frame[] {
  const memory = allocateMemory()
  const recorder = new Recorder(memory)
  const frames = new ShardFrames({ run: 'x', shard: 'x', memories: [memory] })
  const sessions = recorder.population(population)
  const names = Array.from({ length: Number(values.steps) }, (_, i) => `step ${i + 1}`)
  const steps = names.map(step => recorder.step({ scenario: population, step }))
  return Array.from({ length: 10 }, (_, second) => {
    for (let i = 0; i < Number(values.rate) / steps.length; i++) {
      sessions.started()
      for (const step of steps) {
        const service = 2_000 * Math.exp(1.5 * Math.random() ** 2 * Math.random() * 4)
        const ok = Math.random() > 0.01
        step.record(ok, ok ? 200 : 503, service + 200, service, 1_200, 300)
        step.firstByte(service * 0.9)
        if (!ok) step.error('status')
        recorder.generator.sendLag(100 + 400 * Math.random())
      }
      sessions.finished()
    }
    recorder.generator.utilisation(0.3)
    return frames.take((second + 1) * 1000)
  })
}

const patterns = realFrames()

function frameOf(run: string, worker: string, second: number): Frame {
  const pattern = patterns[second % patterns.length]
  if (pattern === undefined) throw new Error('there are no frames')
  return { ...pattern, run, covers: [[worker, [[second, second]]]], from: (second - 1) * 1000, to: second * 1000 }
}

/** Many workers in this process: queues, heartbeats, barrier and frames as real ones have them, without any load. */
class Crowd {
  readonly #redis: Redis
  readonly #logs = new Map<string, string>()
  readonly #takers: { close(): Promise<void> }[] = []
  readonly #server = createServer((request, response) => {
    const log = this.#logs.get((request.url ?? '').split('/')[1] ?? '')
    response.writeHead(log === undefined ? 404 : 200, { 'content-type': 'application/x-ndjson' }).end(log ?? '')
  })
  #timers: NodeJS.Timeout[] = []
  #blocking: Redis | undefined
  #ending = false
  readonly #onError = (error: Error) => {
    if (!this.#ending) console.error(error)
  }

  constructor(redis: Redis) {
    this.#redis = redis
  }

  async begin(count: number, url: string): Promise<void> {
    await new Promise<void>(done => this.#server.listen(0, '127.0.0.1', done))
    const { port } = this.#server.address() as AddressInfo
    this.#blocking = await connectRedis(url, 'blocking', this.#onError)
    const blocking = this.#blocking
    for (let i = 1; i <= count; i++) {
      const id = `sim-${i}`
      const record: NodeRecord = {
        id,
        role: 'worker',
        address: `http://127.0.0.1:${port}/${id}`,
        hostname: 'bench',
        version: '0.1.0',
        protocol: protocolVersion,
        status: 'idle',
        startedAt: new Date().toISOString(),
        cores: 2,
        threads: 1,
        memory: { total: 1, used: 1 },
        load: 0.5,
      }
      await sendHeartbeat(this.#redis, record, `${id}-1`)
      // Spread over the second, as real ones are.
      setTimeout(
        () => {
          this.#timers.push(
            setInterval(() => sendHeartbeat(this.#redis, record, `${id}-1`).catch(this.#onError), beatMs),
          )
        },
        (i * beatMs) / count,
      )
      this.#takers.push(takeShards<unknown, ShardReturn>(id, blocking, job => this.#shard(id, job.data), this.#onError))
    }
  }

  async end(): Promise<void> {
    this.#ending = true
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#takers.map(taker => taker.close()))
    this.#blocking?.disconnect()
    this.#server.close()
  }

  async #shard(worker: string, data: unknown): Promise<ShardReturn> {
    const job = WorkerJob.parse(data)
    if (job.kind !== 'shard') throw new Error('expected a shard')
    const { plan, shard, of, header } = job
    const redis = this.#redis
    let at = await announceReady(redis, plan.runId, shard, of)
    while (at === undefined) {
      await sleep(200)
      at = await startInstant(redis, plan.runId)
    }
    await sleep(Math.max(0, at - Date.now()))
    const frames: Frame[] = []
    const lines: string[] = [logLine(header as RunHeader)]
    let kept: Frame[] = []
    for (let second = 1; second <= seconds; second++) {
      await sleep(Math.max(0, at + second * 1000 + 5 * shard - Date.now()))
      const frame = frameOf(plan.runId, worker, second)
      frames.push(frame)
      lines.push(logLine(frame))
      await appendFrame(redis, plan.runId, shard, frame)
      kept.push(frame)
      if (kept.length > 30) {
        const folded = foldFrames(kept)
        await replaceFrames(redis, plan.runId, shard, kept.length, folded)
        kept = [folded]
      }
      await redis.publish(channels.monitor(plan.runId), JSON.stringify({ type: 'frame', worker, frame }))
    }
    this.#logs.set(worker, lines.join(''))
    const totals = foldFrames(frames)
    const [counted] = totals.counts.populations
    const { started = 0, finished = 0 } = counted ?? {}
    const book = {
      population,
      planned: started,
      started,
      dropped: 0,
      cancelled: 0,
      missed: 0,
      finished,
      interrupted: 0,
    }
    return {
      v: 1,
      shard,
      worker,
      result: { totals, elapsedMs: seconds * 1000, books: [book], imbalances: [], crashes: [], notes: [] },
      startedAt: at,
      clockError: 0,
    }
  }
}

/** User and system time of all threads, in seconds: the 14th and 15th field, counted from behind the name, in hundredths. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

async function commands(redis: Redis): Promise<number> {
  return Number(/total_commands_processed:(\d+)/.exec(await redis.info('stats'))?.[1] ?? 0)
}

async function measure(count: number): Promise<{ count: number; cpuPerWorker: number }> {
  const fleet = await Fleet.start()
  const reporter = fleet.service('r1')
  const redis = await connectRedis(fleet.redis.url, 'blocking', console.error)
  const crowd = new Crowd(redis)
  const pid = reporter.child.pid ?? 0
  try {
    await crowd.begin(count, fleet.redis.url)
    const { runId } = await start(reporter, '/api/single', {
      url: `${fleet.target.url}/json`,
      rate: count,
      duration: `${seconds}s`,
      workers: count,
    })
    const watching = new WebSocket(`${reporter.url.replace('http', 'ws')}/api/job/${runId}/monitor`)
    let heard = 0
    watching.onmessage = () => heard++
    let at: number | undefined
    while (at === undefined) {
      await sleep(50)
      at = await startInstant(redis, runId)
    }
    // From the third second on, when everything is warm, to the last but one.
    await sleep(Math.max(0, at + 2_500 - Date.now()))
    const from = {
      at: performance.now(),
      cpu: cpuSeconds(pid),
      redis: cpuSeconds(fleet.redis.pid),
      commands: await commands(redis),
    }
    let peak = 0
    while (Date.now() < at + (seconds - 1) * 1000) {
      peak = Math.max(peak, residentMb(pid))
      await sleep(250)
    }
    const span = (performance.now() - from.at) / 1000
    const cpu = (cpuSeconds(pid) - from.cpu) / span
    const redisCpu = (cpuSeconds(fleet.redis.pid) - from.redis) / span
    const perWorker = (await commands(redis)).valueOf() - from.commands
    const merging = performance.now()
    const job = await ended(reporter, runId, 600_000)
    const report = await reportOf(reporter, runId)
    const expected =
      patterns.reduce((sum, { counts }) => sum + (counts.populations[0]?.started ?? 0), 0) / patterns.length
    console.log(
      [
        `${count} workers, ${(JSON.stringify(patterns[0]).length / 1024).toFixed(1)} KB a frame:`,
        `reporter ${(cpu * 100).toFixed(1)} % of a core (${((cpu / count) * 1e6).toFixed(0)} µs per worker-second), ${peak.toFixed(0)} MB at most;`,
        `Redis ${(redisCpu * 100).toFixed(1)} % of a core, ${(perWorker / span / count).toFixed(2)} commands per worker-second;`,
        `${heard} monitor messages; report ${((performance.now() - merging) / 1000).toFixed(1)} s after the last second`,
      ].join('\n  '),
    )
    if (job.status !== 'finished' || report.workers.length !== count) throw new Error(`the run is ${job.status}`)
    if (Math.abs(report.totals.started - expected * seconds * count) > expected * count)
      throw new Error(`expected about ${expected * seconds * count} sessions, got ${report.totals.started}`)
    return { count, cpuPerWorker: cpu / count }
  } finally {
    await crowd.end()
    redis.disconnect()
    await fleet.stop()
  }
}

const results: { count: number; cpuPerWorker: number }[] = []
for (const count of values.workers.split(',').map(Number)) results.push(await measure(count))
const [small, large] = [results[0], results.at(-1)]
if (small !== undefined && large !== undefined && small !== large) {
  const growth = large.cpuPerWorker / small.cpuPerWorker
  console.log(
    `CPU per worker-second from ${small.count} to ${large.count} workers: × ${growth.toFixed(2)} (1 is linear; the bar is 1.3: ${growth <= 1.3 ? 'met' : 'NOT met'})`,
  )
  if (growth > 1.3) process.exitCode = 1
}
process.exit()

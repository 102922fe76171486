import { allocateMemory } from '@onrush/metrics/memory'
import { Recorder } from '@onrush/metrics/recorder'
import { ShardFrames } from '@onrush/metrics/shard-frames'
import type { FailureSample, Frame } from '@onrush/protocol/frame'
import type { RunEnd, RunHeader } from '@onrush/protocol/run-log'

export interface SampleOptions {
  readonly seconds?: number
  readonly steps?: readonly string[]
  readonly perSecond?: number
  readonly workers?: number
  /** Multiplies every latency. */
  readonly slower?: number
  readonly sample?: Partial<FailureSample>
  readonly header?: Partial<RunHeader>
}

const scenario = 'buyer'

export function sampleHeader({ workers = 1, seconds = 30, header = {} }: SampleOptions = {}): RunHeader {
  return {
    type: 'start',
    v: 1,
    runId: 'checkout-20260102030405-abcdef',
    name: 'checkout',
    kind: 'simulation',
    description: 'Log in, browse, buy',
    startedAt: '2026-01-02T03:04:05.000Z',
    command: 'onrush run simulations/checkout.ts --env staging --seed 7',
    simulation: {
      file: 'simulations/checkout.ts',
      hash: 'f00dfeed'.repeat(8),
      source: 'export default simulation({})\n',
    },
    environment: { name: 'staging', values: { shop: 'https://staging.example.com', key: '***' } },
    seed: 7,
    populations: [
      {
        name: scenario,
        scenarios: [scenario],
        inject: [
          { type: 'rampUsersPerSec', from: 1, to: 20, duration: `${Math.round(seconds / 3)}s` },
          { type: 'constantUsersPerSec', rate: 20, duration: `${seconds - Math.round(seconds / 3)}s` },
        ],
      },
    ],
    thresholds: { duration: ['p(95)<500', 'p(99)<150'], failed: ['rate<0.05'] },
    machine: {
      hostname: 'laptop',
      platform: 'linux x64',
      cpu: 'Some CPU @ 3.20GHz',
      cores: 8,
      memory: 16e9,
      node: '24.0.0',
      onrush: '0.1.0',
    },
    workers: Array.from({ length: workers }, (_, i) => ({ id: `w${i + 1}`, threads: 2, share: 1 / workers })),
    warnings: [],
    ...header,
  }
}

/** The same in every run: tests compare files. */
function* chance(seed: number): Generator<number, never> {
  let state = seed
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

export function sampleFrames(options: SampleOptions = {}): Frame[] {
  const {
    seconds = 30,
    steps = ['log in', 'item', 'buy'],
    perSecond = 20,
    workers = 1,
    slower = 1,
    sample = {},
  } = options
  const random = chance(1)
  return Array.from({ length: workers }, (_, worker) => {
    const memory = allocateMemory()
    const recorder = new Recorder(memory)
    const frames = new ShardFrames({ run: sampleHeader(options).runId, shard: `w${worker + 1}`, memories: [memory] })
    const population = recorder.population(scenario)
    const recorders = steps.map(step => recorder.step({ scenario, step }))
    return Array.from({ length: seconds }, (_unused, second) => {
      for (let i = 0; i < perSecond; i++) {
        population.started()
        let ok = true
        for (const step of recorders) {
          const base = slower * (20_000 + 30_000 * random.next().value * (1 + second / seconds))
          const slow = random.next().value > 0.97 ? 90_000 : 0
          const failed = random.next().value > 0.99 || (second === 0 && i === 0)
          step.record(!failed, failed ? 503 : 200, base + slow + 800, base + slow, 1200, 300)
          step.connect(400)
          step.firstByte(base - 1000)
          step.check(step.checkIndex('$.status = 200'), !failed)
          if (failed) step.error('status')
          ok &&= !failed
          recorder.generator.sendLag(300 + 500 * random.next().value)
        }
        population.pass(ok, 150_000)
        if (i > 2 || second > 5) population.finished()
      }
      recorder.generator.utilisation(0.2 + 0.1 * random.next().value)
      if (second === 3) {
        frames.addSample({
          scenario,
          step: steps[0] ?? '',
          kind: 'status',
          at: 3210,
          message: 'expected a status below 400, got 503',
          request: {
            method: 'POST',
            url: 'https://staging.example.com/login',
            headers: { authorization: '***' },
            body: '{"user":"ada"}',
          },
          response: { status: 503, headers: { 'content-type': 'text/plain' }, body: 'try again later' },
          ...sample,
        })
      }
      return frames.take((second + 1) * 1000)
    })
  }).flat()
}

export function sampleEnd(options: SampleOptions = {}): RunEnd {
  const { seconds = 30, perSecond = 20, workers = 1 } = options
  const started = seconds * perSecond
  const interrupted = 3 * Math.min(6, seconds)
  const books = { population: scenario, planned: started, started, dropped: 0, cancelled: 0, missed: 0 }
  return {
    type: 'end',
    status: 'finished',
    endedAt: new Date(Date.parse('2026-01-02T03:04:05.000Z') + seconds * 1000).toISOString(),
    elapsedMs: seconds * 1000,
    workers: Array.from({ length: workers }, (_, i) => ({
      id: `w${i + 1}`,
      status: 'finished',
      books: [{ ...books, finished: started - interrupted, interrupted }],
      imbalances: [],
      crashes: [],
      notes: [],
      ...(workers > 1 ? { skewMs: i } : {}),
    })),
  }
}

export const sampleRun = (options: SampleOptions = {}) => ({
  header: sampleHeader(options),
  frames: sampleFrames(options),
  end: sampleEnd(options),
})

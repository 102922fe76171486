// Metrics: records per second and core, memory per record, taking a second of 50 names, merging 100 frames of 50 names.
import { parseFrame } from '@onrush/metrics/frame'
import { allocateMemory } from '@onrush/metrics/memory'
import { Recorder } from '@onrush/metrics/recorder'
import { ShardFrames } from '@onrush/metrics/shard-frames'
import { SharedHistogram } from '@onrush/metrics/shared-histogram'
import { summarise } from '@onrush/metrics/summary'
import { Totals } from '@onrush/metrics/totals'

const latencies = new Float64Array(65_536)
let seed = 1
for (let i = 0; i < latencies.length; i++) {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  // Log-normal enough: 200 µs to some hundred milliseconds, most near 2 ms.
  // Whole numbers: V8 boxes a fraction that it hands to a function, which would be counted as the recorder's.
  latencies[i] = Math.round(200 + 2000 * (seed / 2 ** 32) ** 8 * 200 + (seed % 1800))
}

function report(what: string, figure: string): void {
  console.log(`${what.padEnd(64)} ${figure}`)
}

/** The best of five, because the machine's other work only ever makes it slower. */
function best(times: number, run: () => void): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < times; i++) {
    const start = performance.now()
    run()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

function millionsPerSecond(records: number, ms: number): string {
  return `${(records / ms / 1000).toFixed(1)} M/s`
}

const memory = allocateMemory()
const words = new Uint32Array(new SharedArrayBuffer(4 * 32 * 1024))
const histogram = new SharedHistogram(words, 0, 1024)
const rounds = 2_000_000
const recordMs = best(5, () => {
  for (let i = 0; i < rounds; i++) histogram.record(latencies[i & 65_535] ?? 0)
})
report('histogram: record (bar: 20 M/s)', millionsPerSecond(rounds, recordMs))

const recorder = new Recorder(memory)
const step = recorder.step({ scenario: 'buyer', step: 'one' })
const stepMs = best(5, () => {
  for (let i = 0; i < rounds; i++) {
    const micros = latencies[i & 65_535] ?? 0
    step.record(true, 200, micros + 10, micros, 1200, 150)
  }
})
report('step: both latencies, status, bytes', millionsPerSecond(rounds, stepMs))

function mixed(records: number): void {
  for (let i = 0; i < records; i++) {
    step.record(i % 10 !== 0, 200, latencies[i & 65_535] ?? 0, latencies[(i + 9) & 65_535] ?? 0, 1200, 150)
  }
}
/** The median of many short looks: a collection in one of them would hide what was allocated. */
function heapGrowth(records: number): number {
  const looks: number[] = []
  for (let i = 0; i < 101; i++) {
    const before = process.memoryUsage().heapUsed
    mixed(records)
    looks.push(process.memoryUsage().heapUsed - before)
  }
  return looks.sort((a, b) => a - b)[50] ?? 0
}
// Compiled before looking: the interpreter boxes numbers, which is not the recorder's doing.
for (let i = 0; i < 300; i++) mixed(10_000)
const idle = heapGrowth(0)
report('step: bytes of heap per record (bar: 0)', ((heapGrowth(20_000) - idle) / 20_000).toFixed(4))

const names = Array.from({ length: 50 }, (_, i) => recorder.step({ scenario: 'buyer', step: `step ${i}` }))
const frames = new ShardFrames({ run: 'bench', shard: 'a', memories: [memory] })
frames.take(0)
function second(offset: number): void {
  for (let i = 0; i < 50_000; i++) {
    const micros = latencies[(i + offset) & 65_535] ?? 0
    const name = names[i % names.length]
    name?.record(i % 100 !== 0, 200, micros + 10, micros, 1200, 150)
    name?.firstByte(micros * 0.8)
  }
}
const takes: number[] = []
const taken = Array.from({ length: 100 }, (_, i) => {
  second(i * 997)
  const start = performance.now()
  const frame = frames.take((i + 1) * 1000)
  takes.push(performance.now() - start)
  return frame
})
takes.sort((a, b) => a - b)
report(
  'take: one second of 50 names, 50,000 records (least, median of 100)',
  `${(takes[0] ?? 0).toFixed(1)} ms, ${(takes[50] ?? 0).toFixed(1)} ms`,
)

const texts = taken.map(frame => JSON.stringify({ ...frame, covers: [[`shard ${frame.to}`, [[1, 1]]]] }))
const size = texts.reduce((sum, text) => sum + text.length, 0) / texts.length
report('frame: JSON of that second', `${(size / 1024).toFixed(1)} KB`)

let totals = new Totals()
const mergeMs = best(5, () => {
  totals = new Totals()
  for (const frame of taken) totals.add(frame)
})
report('merge: 100 frames of 50 names (bar: well under 1000 ms)', `${mergeMs.toFixed(1)} ms`)
const wireMs = best(3, () => {
  const parsed = new Totals()
  for (const text of texts) parsed.add(parseFrame(JSON.parse(text)))
})
report('merge: the same from JSON text, checked', `${wireMs.toFixed(1)} ms`)
report('summary: 50 names', `${best(3, () => void summarise(totals)).toFixed(1)} ms`)

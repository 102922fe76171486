import { limits } from '@onrush/protocol/limits'
import { octaveSize } from './buckets.ts'
import { gaugeWords } from './gauge-cell.ts'
import { headWords, histogramBuckets } from './shared-histogram.ts'
import { type TableShape, tableWords } from './shared-table.ts'
import { wideWords } from './wide-counter.ts'

/** A histogram's two places within a block: its head among the counters, its buckets behind them. */
export interface HistogramPlace {
  readonly head: number
  readonly buckets: number
}

export const rowKinds = ['generator', 'step', 'group', 'population', 'counter', 'gauge', 'rate', 'trend'] as const
export type RowKind = (typeof rowKinds)[number]

/** Statuses are keyed by `status * 2`, plus 1 where the step failed. */
export const statusTable: TableShape = { slots: 64, columns: 1 }
export const errorTable: TableShape = { slots: limits.errorKinds.value + 1, columns: 1 }
export const checkTable: TableShape = { slots: 101, columns: 2 }

/** Buckets begin at a multiple of an octave: one octave, one page of memory. */
export function alignedWords(words: number): number {
  return Math.ceil(words / octaveSize) * octaveSize
}

/** Heads of the histograms first, then the counters, then, on pages of their own, the buckets. */
function plan(histograms: number, counters: number) {
  const counterAt = histograms * headWords
  const bucketsAt = alignedWords(counterAt + counters)
  return {
    words: bucketsAt + histograms * histogramBuckets,
    counterAt,
    counterWords: counterAt + counters,
    histogram: (i: number): HistogramPlace => ({ head: i * headWords, buckets: bucketsAt + i * histogramBuckets }),
  }
}

const tables = 4 * wideWords
const step = plan(7, tables + tableWords(statusTable) + tableWords(errorTable) + tableWords(checkTable))
export const stepBlock = {
  words: step.words,
  counterWords: step.counterWords,
  durationOk: step.histogram(0),
  durationKo: step.histogram(1),
  serviceOk: step.histogram(2),
  serviceKo: step.histogram(3),
  connect: step.histogram(4),
  tls: step.histogram(5),
  firstByte: step.histogram(6),
  bytesInOk: step.counterAt,
  bytesInKo: step.counterAt + wideWords,
  bytesOutOk: step.counterAt + 2 * wideWords,
  bytesOutKo: step.counterAt + 3 * wideWords,
  status: step.counterAt + tables,
  errors: step.counterAt + tables + tableWords(statusTable),
  checks: step.counterAt + tables + tableWords(statusTable) + tableWords(errorTable),
}

const pair = plan(2, 0)
export const groupBlock = { words: pair.words, ok: pair.histogram(0), ko: pair.histogram(1) }
export const generatorBlock = { words: pair.words, sendLag: pair.histogram(0), utilisation: pair.histogram(1) }

const population = plan(2, 5 + wideWords)
export const populationBlock = {
  words: population.words,
  counterWords: population.counterWords,
  passOk: population.histogram(0),
  passKo: population.histogram(1),
  started: population.counterAt,
  finished: population.counterAt + 1,
  interrupted: population.counterAt + 2,
  dropped: population.counterAt + 3,
  late: population.counterAt + 4,
  /** Wide: a stop cancels what is left of the plan at once. */
  cancelled: population.counterAt + 5,
}

const single = plan(1, 0)
export const trendBlock = { words: single.words, values: single.histogram(0) }
export const counterBlock = { words: wideWords, sum: 0 }
export const gaugeBlock = { words: gaugeWords, cell: 0 }
export const rateBlock = { words: 2, hits: 0, total: 1 }

export const blocks: Record<RowKind, { readonly words: number }> = {
  generator: generatorBlock,
  step: stepBlock,
  group: groupBlock,
  population: populationBlock,
  counter: counterBlock,
  gauge: gaugeBlock,
  rate: rateBlock,
  trend: trendBlock,
}

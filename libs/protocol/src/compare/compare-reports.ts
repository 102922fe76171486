import type { Report } from '../report.ts'
import { type Measure, measuresOf, type Unit } from './measures.ts'
import { beyondNoise } from './noise.ts'

/** How one number of a run differs from the baseline's. */
export interface Difference {
  readonly value: number | undefined
  /** In parts of the baseline's value; infinite from 0 to something. */
  readonly change: number | undefined
  /** Whether it is more than the runs vary by themselves; nothing when they are too short to tell. */
  readonly beyondNoise: boolean | undefined
  readonly worse: boolean
}

export interface ComparedRow {
  readonly name: string
  readonly unit: Unit
  readonly baseline: number | undefined
  /** One for each of the other reports. */
  readonly others: readonly Difference[]
}

export interface Comparison {
  readonly runs: readonly string[]
  /** Regressions first, then what became better, then what is the same but for noise. */
  readonly rows: readonly ComparedRow[]
  /** Why the numbers may not be comparable. */
  readonly warnings: readonly string[]
}

function difference(from: Measure, to: Measure | undefined): Difference {
  const value = to?.value
  if (from.value === undefined || value === undefined || to === undefined) {
    return { value, change: undefined, beyondNoise: undefined, worse: false }
  }
  const by = value - from.value
  const change = by === 0 ? 0 : from.value === 0 ? Number.POSITIVE_INFINITY : by / from.value
  return {
    value,
    change,
    beyondNoise: by === 0 ? false : beyondNoise(by, from.samples, to.samples),
    worse: from.worse === 'higher' ? by > 0 : by < 0,
  }
}

function rank({ others }: ComparedRow): number {
  if (others.some(({ worse, beyondNoise: beyond }) => worse && beyond === true)) return 0
  if (others.some(({ beyondNoise: beyond }) => beyond === true)) return 1
  return others.some(({ beyondNoise: beyond }) => beyond === undefined) ? 2 : 3
}

const size = ({ others }: ComparedRow) => Math.max(0, ...others.map(({ change }) => Math.abs(change ?? 0)))

function warnings([baseline, ...others]: readonly Report[]): string[] {
  if (baseline === undefined) return []
  const said: string[] = []
  const plan = ({ run }: Report) => JSON.stringify(run.populations)
  for (const other of others) {
    const { runId } = other.run
    if (plan(other) !== plan(baseline)) said.push(`${runId} had another load plan`)
    if (other.run.simulation.hash !== baseline.run.simulation.hash) said.push(`${runId} ran another script`)
    if (other.run.machine.cpu !== baseline.run.machine.cpu) said.push(`${runId} ran on another kind of machine`)
  }
  for (const report of [baseline, ...others]) {
    if (report.verdict === 'invalid') said.push(`the generator of ${report.run.runId} did not keep up`)
    if (report.status !== 'finished') said.push(`${report.run.runId} did not run to its end`)
  }
  return said
}

/** The first is the baseline; the others are held against it. */
export function compareReports(reports: readonly Report[]): Comparison {
  const [baseline = [], ...others] = reports.map(measuresOf)
  const known = new Set(baseline.map(({ name }) => name))
  // A step that only a later run has is worth a line too.
  const added = others.flat().filter(({ name }) => !known.has(name) && known.add(name))
  const first = [...baseline, ...added.map(measure => ({ ...measure, value: undefined, samples: [] }))]
  const rows = first.map(measure => ({
    name: measure.name,
    unit: measure.unit,
    baseline: measure.value,
    others: others.map(list =>
      difference(
        measure,
        list.find(({ name }) => name === measure.name),
      ),
    ),
  }))
  return {
    runs: reports.map(({ run }) => run.runId),
    rows: rows.sort((a, b) => rank(a) - rank(b) || (rank(a) < 2 ? size(b) - size(a) : 0)),
    warnings: warnings(reports),
  }
}

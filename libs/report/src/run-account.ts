import { Series } from '@onrush/metrics/series'
import { summarise } from '@onrush/metrics/summary'
import { ThresholdMonitor } from '@onrush/metrics/threshold-monitor'
import { Totals } from '@onrush/metrics/totals'
import type { Frame } from '@onrush/protocol/frame'
import type { JobTotals, JobWorker } from '@onrush/protocol/job'
import type { Failure, GeneratorHealth, Report, ReportPlan, ReportWorker, StepSeries } from '@onrush/protocol/report'
import { reportVersion } from '@onrush/protocol/report'
import type { RunEnd, RunHeader } from '@onrush/protocol/run-log'
import { inScriptOrder } from '@onrush/protocol/step-order'
import type { Point, Summary, ThresholdResult } from '@onrush/protocol/summary'
import { sumBooks, totalsOf } from './books.ts'
import { distributionOf } from './distribution.ts'
import { FailuresSeen } from './failures-seen.ts'
import { generatorHealth } from './generator-health.ts'
import { planned } from './planned.ts'
import { StepCourses } from './step-course.ts'
import { verdictOf } from './verdict.ts'
import { WorkerPart } from './worker-part.ts'
import { reportWorkers, skewOf, workersSoFar } from './workers.ts'

const mostPoints = 300

export interface SoFar {
  summary: Summary
  totals: JobTotals
  thresholds: ThresholdResult[]
  generator: GeneratorHealth
  failures: Failure[]
  parts: ReportWorker[]
}

/** A run as its frames tell it, while it goes on and when it has ended. Bounded, however long the run. */
export class RunAccount {
  readonly header: RunHeader
  readonly totals = new Totals()
  readonly #series = new Series()
  readonly #courses = new StepCourses()
  readonly #failures = new FailuresSeen()
  readonly #parts = new Map<string, WorkerPart>()
  readonly #thresholds: ThresholdMonitor

  constructor(header: RunHeader) {
    this.header = header
    this.#thresholds = new ThresholdMonitor(header.thresholds ?? {})
  }

  /** In any order; a frame that comes again counts once. */
  add(frame: Frame): 'merged' | 'duplicate' | 'overlap' {
    const merged = this.totals.add(frame)
    if (merged !== 'merged') return merged
    this.#series.add(frame)
    this.#courses.add(frame)
    this.#failures.add(frame)
    this.#thresholds.add(frame)
    const [only, ...others] = frame.covers
    // A frame folded from several workers' can be counted, but not divided among them again.
    if (only !== undefined && others.length === 0) this.#partOf(only[0]).add(frame)
    return merged
  }

  #partOf(worker: string): WorkerPart {
    const known = this.#parts.get(worker)
    if (known !== undefined) return known
    const part = new WorkerPart()
    this.#parts.set(worker, part)
    return part
  }

  thresholds(): ThresholdResult[] {
    return this.#thresholds.results()
  }

  /** The threshold that has failed and asks for the run to be ended. */
  aborting(): ThresholdResult | undefined {
    return this.#thresholds.aborting()
  }

  plan(): ReportPlan {
    return planned(this.header.populations, this.header.seed)
  }

  /** How it stands while it goes on. */
  soFar(elapsedMs: number, states: readonly JobWorker[] = []): SoFar {
    const { header, totals } = this
    const counted = summarise(totals, { elapsedMs })
    const summary = { ...counted, steps: inScriptOrder(counted.steps, header.steps) }
    return {
      summary,
      totals: totalsOf(summary, []),
      thresholds: this.#thresholds.results(),
      generator: generatorHealth(totals, header.generator, 0, []),
      failures: this.#failures.toList(),
      parts: workersSoFar(header, states, elapsedMs, this.#parts),
    }
  }

  /** Its course, for one who comes late: dear where a run is long, so not for every second. */
  course(): Point[] {
    return this.#series.points(mostPoints)
  }

  /** The same of each step; `last` gives only so many of its newest points. */
  stepCourses(last?: number): StepSeries[] {
    return inScriptOrder(this.#courses.toSeries(last), this.header.steps)
  }

  toReport(end: RunEnd): Report {
    const { header, totals } = this
    const { elapsedMs } = end
    const counted = summarise(totals, { elapsedMs })
    const summary = { ...counted, steps: inScriptOrder(counted.steps, header.steps) }
    const books = sumBooks(end.workers.flatMap(worker => worker.books))
    const missed = books.reduce((sum, book) => sum + book.missed, 0)
    const imbalances = end.workers.flatMap(worker => worker.imbalances)
    const generator = generatorHealth(totals, header.generator, missed, imbalances)
    const thresholds = this.#thresholds.results({ final: true })
    const workers = reportWorkers(header, end, this.#parts)
    const skew = skewOf(end)
    return {
      v: reportVersion,
      run: header,
      status: end.status,
      verdict: verdictOf(generator, thresholds),
      ...(end.error === undefined ? {} : { error: end.error }),
      endedAt: end.endedAt,
      elapsedMs,
      ...(end.stopped === undefined ? {} : { stopped: end.stopped }),
      plan: this.plan(),
      thresholds,
      generator,
      totals: totalsOf(summary, books),
      summary,
      distribution: distributionOf(totals),
      failures: this.#failures.toList(),
      books,
      series: this.#series.points(mostPoints),
      stepSeries: inScriptOrder(this.#courses.toSeries(), header.steps),
      workers,
      ...(skew === undefined ? {} : { startSkewMs: skew }),
      notes: notesOf(end),
      ...(totals.isEmpty ? {} : { frame: withoutSamples(totals.toFrame()) }),
    }
  }
}

function notesOf({ workers }: RunEnd): string[] {
  const several = workers.length > 1
  return workers.flatMap(({ id, notes, crashes }) =>
    [...notes, ...crashes.map(({ thread, message }) => `thread ${thread} died: ${message}`)].map(note =>
      several ? `${id}: ${note}` : note,
    ),
  )
}

/** They stand in the summary already. */
function withoutSamples(frame: Frame): Frame {
  return { ...frame, counts: { ...frame.counts, samples: [] } }
}

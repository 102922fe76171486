import type { Frame } from '@onrush/protocol/frame'
import type { ThresholdResult } from '@onrush/protocol/summary'
import { type Check, holds, type Target } from './threshold-expression.ts'
import { Measure } from './threshold-measure.ts'

/** A window is made of at most so many parts, which bounds the memory of a long one; it moves by one part at a time. */
const partsOfWindow = 60
/** Frames of several shards arrive within a second of each other; a window is judged when they had that time. */
const graceMs = 1000

/** One check of one metric, kept up to date frame by frame. */
export class Watch {
  readonly check: Check
  readonly #metric: string
  readonly #target: Target
  readonly #whole: Measure
  readonly #parts = new Map<number, Measure>()
  readonly #partMs: number
  #from = Number.POSITIVE_INFINITY
  #to = 0
  #judgedTo = Number.NEGATIVE_INFINITY
  #failed: { at: number; value: number } | undefined
  #latest: number | undefined

  constructor(metric: string, target: Target, check: Check) {
    this.#metric = metric
    this.#target = target
    this.check = check
    this.#whole = new Measure(target)
    this.#partMs = Math.max(1000, (check.overMs ?? 0) / partsOfWindow)
  }

  add(frame: Frame): void {
    const middle = (frame.from + frame.to) / 2
    if (middle < this.check.afterMs) return
    this.#from = Math.min(this.#from, Math.max(frame.from, this.check.afterMs))
    this.#to = Math.max(this.#to, frame.to)
    if (this.check.overMs === undefined) {
      this.#whole.add(frame.counts)
      return
    }
    const index = Math.floor(middle / this.#partMs)
    let part = this.#parts.get(index)
    if (part === undefined) {
      part = new Measure(this.#target)
      this.#parts.set(index, part)
    }
    part.add(frame.counts)
    this.#judgeWindows(frame.to - graceMs)
  }

  /** Every window that ends at or before `toMs` and was not judged yet. */
  #judgeWindows(toMs: number): void {
    const { overMs } = this.check
    if (overMs === undefined) return
    const parts = Math.max(1, Math.round(overMs / this.#partMs))
    const start = Math.floor(this.#from / this.#partMs)
    const last = Math.floor(toMs / this.#partMs) - 1
    for (let end = Math.max(start + parts - 1, this.#judgedTo + 1); end <= last; end++) {
      this.#judge(end - parts + 1, end, parts * this.#partMs)
      this.#judgedTo = end
      this.#parts.delete(end - parts + 1)
    }
  }

  #judge(first: number, last: number, elapsedMs: number): void {
    const window = new Measure(this.#target)
    for (let i = first; i <= last; i++) {
      const part = this.#parts.get(i)
      if (part !== undefined) window.merge(part)
    }
    const value = window.value(this.check, elapsedMs)
    if (value === undefined) return
    this.#latest = value
    if (this.#failed === undefined && !holds(value, this.check)) {
      this.#failed = { at: (last + 1) * this.#partMs, value }
    }
  }

  /** Whether it is broken by what has been measured so far. */
  get isBroken(): boolean {
    if (this.check.overMs !== undefined) return this.#failed !== undefined
    const value = this.#whole.value(this.check, this.#to - this.#from)
    return value !== undefined && !holds(value, this.check)
  }

  /** `final`: no more frames come, so what is left is judged, and what was never measured fails. */
  result(final: boolean): ThresholdResult {
    const { text, overMs, afterMs, abort } = this.check
    const base = {
      metric: this.#metric,
      check: text,
      abort,
      ...(overMs === undefined ? {} : { over: overMs }),
      ...(afterMs === 0 ? {} : { after: afterMs }),
    }
    if (final && overMs !== undefined) this.#judgeRest()
    const failed = this.#failed
    if (failed !== undefined) {
      const detail = `${this.#metric}: ${text} did not hold in the ${(overMs ?? 0) / 1000} s before ${failed.at / 1000} s: ${shown(failed.value)}`
      return { ...base, passed: false, value: failed.value, failedAt: failed.at, detail }
    }
    const value = overMs === undefined ? this.#whole.value(this.check, this.#to - this.#from) : this.#latest
    if (value === undefined && !final) {
      return { ...base, passed: true, detail: `${this.#metric}: ${text} was not judged yet` }
    }
    if (value === undefined) {
      const since = afterMs === 0 ? '' : ` after ${afterMs / 1000} s`
      return { ...base, passed: false, detail: `${this.#metric}: nothing was measured${since}, so ${text} cannot hold` }
    }
    const passed = holds(value, this.check)
    return {
      ...base,
      passed,
      value,
      detail: `${this.#metric}: ${text} ${passed ? 'held' : 'did not hold'}: ${shown(value)}`,
    }
  }

  /** A run shorter than its window is judged as it is. */
  #judgeRest(): void {
    this.#judgeWindows(Math.ceil(this.#to / this.#partMs) * this.#partMs)
    const indexes = [...this.#parts.keys()]
    if (this.#latest !== undefined || indexes.length === 0) return
    this.#judge(Math.min(...indexes), Math.max(...indexes), this.#to - this.#from)
  }
}

function shown(value: number): string {
  return String(Math.round(value * 1e6) / 1e6)
}

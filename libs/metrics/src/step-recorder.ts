import { checkTable, errorTable, type HistogramPlace, statusTable, stepBlock } from './blocks.ts'
import type { Directory } from './directory.ts'
import type { Row } from './rows.ts'
import { SharedHistogram } from './shared-histogram.ts'
import { otherKey, SharedTable } from './shared-table.ts'
import { addWide } from './wide-counter.ts'

/** Counts one step. Made once per step and kept: recording looks nothing up and allocates nothing. */
export class StepRecorder {
  readonly #directory: Directory
  readonly #words: Uint32Array
  readonly #at: number
  readonly #durationOk: SharedHistogram
  readonly #durationKo: SharedHistogram
  readonly #serviceOk: SharedHistogram
  readonly #serviceKo: SharedHistogram
  readonly #connect: SharedHistogram
  readonly #tls: SharedHistogram
  readonly #firstByte: SharedHistogram
  readonly #status: SharedTable
  readonly #errors: SharedTable
  readonly #checks: SharedTable

  constructor(directory: Directory, row: Row) {
    const { words } = directory.memory
    const histogram = (place: HistogramPlace) => new SharedHistogram(words, row.at + place.head, row.at + place.buckets)
    this.#directory = directory
    this.#words = words
    this.#at = row.at
    this.#durationOk = histogram(stepBlock.durationOk)
    this.#durationKo = histogram(stepBlock.durationKo)
    this.#serviceOk = histogram(stepBlock.serviceOk)
    this.#serviceKo = histogram(stepBlock.serviceKo)
    this.#connect = histogram(stepBlock.connect)
    this.#tls = histogram(stepBlock.tls)
    this.#firstByte = histogram(stepBlock.firstByte)
    this.#status = new SharedTable(words, row.at + stepBlock.status, statusTable)
    this.#errors = new SharedTable(words, row.at + stepBlock.errors, errorTable)
    this.#checks = new SharedTable(words, row.at + stepBlock.checks, checkTable)
  }

  /**
   * One step is over. `durationMicros` counts from when it was due, `serviceMicros` from when it was sent; below 0 means
   * that nothing was sent. `status` below 0 means that no answer came.
   */
  record(
    ok: boolean,
    status: number,
    durationMicros: number,
    serviceMicros: number,
    bytesIn: number,
    bytesOut: number,
  ): void {
    if (status >= 0) {
      const key = status < 0x7ffffff0 ? (Math.trunc(status) * 2 + (ok ? 0 : 1)) >>> 0 : otherKey
      this.#status.add(this.#status.slot(key), 0)
    }
    if (bytesIn > 0) addWide(this.#words, this.#at + (ok ? stepBlock.bytesInOk : stepBlock.bytesInKo), bytesIn)
    if (bytesOut > 0) addWide(this.#words, this.#at + (ok ? stepBlock.bytesOutOk : stepBlock.bytesOutKo), bytesOut)
    if (serviceMicros >= 0) (ok ? this.#serviceOk : this.#serviceKo).record(serviceMicros)
    ;(ok ? this.#durationOk : this.#durationKo).record(durationMicros)
  }

  /** Why a step failed, beside its `record(false, …)`. */
  error(kind: string): void {
    this.#errors.add(this.#errors.slot(this.#directory.strings.id(kind)), 0)
  }

  connect(micros: number): void {
    this.#connect.record(micros)
  }

  tls(micros: number): void {
    this.#tls.record(micros)
  }

  firstByte(micros: number): void {
    this.#firstByte.record(micros)
  }

  /** A check's place, by its label: look it up once per assertion. */
  checkIndex(label: string): number {
    return this.#checks.slot(this.#directory.strings.id(label))
  }

  check(index: number, passed: boolean): void {
    this.#checks.add(index, passed ? 0 : 1)
  }
}

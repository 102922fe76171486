import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import type { Bundle } from './bundle.ts'

/** What reading a file gives, in whichever language it is written. */
export interface Read {
  readonly bundle: Bundle
  /** The data, with markers in the place of functions. */
  readonly value: Json
  /** What in it is no data, by JSON path. */
  readonly faults: readonly Fault[]
  /** `file:line:column` of what lies at a JSON path; nothing where that is not known. */
  placeOf(path: string): string | undefined
}

import type { Exchange } from './exchange.ts'
import type { Fixed } from './fixed.ts'

export type Handler = (exchange: Exchange) => void | Promise<void>

export interface Route {
  /** The path, with at most one `:name`, as its last part. Counts are kept under it. */
  readonly template: string
  /** By method; `*` answers every method that has no handler of its own. `HEAD` is `GET` without the body. */
  readonly handlers: Readonly<Record<string, Handler>>
  /** What `GET` always answers, where that never changes. */
  readonly fixed?: Fixed
}

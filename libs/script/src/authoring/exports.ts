import type { Json } from './json.ts'
import type { Path } from './path.ts'

/** How a value is changed on its way into a variable. */
export type Transform =
  | 'toNumber'
  | 'toString'
  | 'toBoolean'
  | 'toJson'
  | 'fromJson'
  | 'trim'
  | 'upper'
  | 'lower'
  | 'length'
  | 'first'
  | 'last'
  | 'keys'
  | 'values'
  | 'base64'
  | 'fromBase64'
  | 'urlEncode'
  | 'urlDecode'
  /** Text into a list. */
  | { readonly split: string }
  /** A list into text. */
  | { readonly join: string }
  /** The first group of the match (or the whole match), or the group named. */
  | { readonly regex: string; readonly group?: number | string }
  | { readonly replace: string; readonly with: string }
  /** From, to: as `slice` of JavaScript. */
  | { readonly slice: readonly [number, number] }

export interface ExportRule {
  readonly path: Path
  /** `_s` lives to the end of the scenario (the default), `_j` to the end of the session. */
  readonly scope?: '_s' | '_j'
  readonly transform?: Transform | readonly Transform[]
  /** Used when the path leads nowhere; without it, that fails the step. */
  readonly default?: Json
}

/** Variables to keep from a response: `{ token: '$.entity.token' }`, then `{{$._s.token}}`. */
export interface Exports {
  readonly [variable: string]: Path | ExportRule
}

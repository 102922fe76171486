type Unit = 'ms' | 's' | 'm' | 'h' | 'd'
type Part<U extends Unit> = `${number}${U}`

/** How long something takes: `'500ms'`, `'90s'`, `'5m'`, `'1h30m'`, or `{ value: 90, unit: 'second' }`. */
export type Duration =
  | Part<Unit>
  | `${Part<'d'>}${Part<'h'>}`
  | `${Part<'h'>}${Part<'m'>}`
  | `${Part<'m'>}${Part<'s'>}`
  | `${Part<'s'>}${Part<'ms'>}`
  | `${Part<'h'>}${Part<'m'>}${Part<'s'>}`
  | { readonly value: number; readonly unit: 'millisecond' | 'second' | 'minute' | 'hour' | 'day' }

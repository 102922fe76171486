/** Roles of the palette that a canvas may ask for. */
export type Ink =
  | 'ink'
  | 'muted'
  | 'hairline'
  | 'surface'
  | 'accent'
  | 'p50'
  | 'p90'
  | 'p95'
  | 'p99'
  | 'passed'
  | 'failed'
  | 'invalid'
  | 'ok'
  | 'wanted'
  | 'started'
  | `runs-${1 | 2 | 3 | 4 | 5}`

const looked = new Map<string, string>()

/** A canvas knows no custom properties: they are looked up once per theme. */
export function ink(role: Ink): string {
  const known = looked.get(role)
  if (known !== undefined) return known
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--${role}`).trim()
  looked.set(role, value)
  return value
}

export function forgetInks(): void {
  looked.clear()
}

/** The same with so much of it opaque (`#rrggbb` only, which the palette is). */
export function thinned(role: Ink, opacity: number): string {
  const value = Math.round(opacity * 255)
  return `${ink(role)}${value.toString(16).padStart(2, '0')}`
}

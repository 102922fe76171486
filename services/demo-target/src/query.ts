import { OnrushError } from '@onrush/protocol/error'

interface Range {
  readonly least: number
  readonly most: number
}

/** A query parameter that is a whole number, or a 400 that says what would have been right. */
export function wholeNumber(query: URLSearchParams, name: string, range: Range, fallback: number): number {
  const text = query.get(name)
  if (text === null) return fallback
  return parseWhole(text, `?${name}`, range)
}

/** The same for a part of the path. */
export function parseWhole(text: string, place: string, { least, most }: Range): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new OnrushError('malformed', `${place}: expected a whole number from ${least} to ${most}, got "${text}"`)
}

/** A share from 0 to 1. */
export function share(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name)
  if (text === null) return fallback
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (value >= 0 && value <= 1) return value
  throw new OnrushError('malformed', `?${name}: expected a number from 0 to 1, got "${text}"`)
}

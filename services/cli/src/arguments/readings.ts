import { check } from '@onrush/protocol/check'
import { Duration } from '@onrush/protocol/duration'
import type { Read } from './option.ts'

export const text: Read<string> = given =>
  given === '' ? { problem: 'expected a text, got an empty one' } : { value: given }

export function integer(min: number, max: number): Read<number> {
  return given => {
    const value = Number(given)
    return /^-?\d+$/.test(given) && value >= min && value <= max
      ? { value }
      : { problem: `expected a whole number from ${min} to ${max}, got "${given}"` }
  }
}

export function number(min: number, max: number): Read<number> {
  return given => {
    const value = Number(given)
    return /^\d+(\.\d+)?$/.test(given) && value >= min && value <= max
      ? { value }
      : { problem: `expected a number from ${min} to ${max}, got "${given}"` }
  }
}

/** `90s`, `1h30m`; a number alone is seconds, as in wrk and hey. */
export const duration: Read<string> = given => {
  const text = /^\d+(\.\d+)?$/.test(given) ? `${given}s` : given
  const checked = check(Duration, text)
  return checked.ok ? { value: text } : { problem: checked.faults[0]?.message ?? 'expected a duration' }
}

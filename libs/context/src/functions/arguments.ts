import { RenderError } from '../render-error.ts'

export function show(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

/** Columns of a CSV file are text: text that is a number is taken as one where a number is wanted. */
export function numberAt(given: readonly unknown[], index: number, name: string): number {
  const value = given[index]
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  throw new RenderError('', `${name} is ${show(value)} and not a number`)
}

export function integerAt(given: readonly unknown[], index: number, name: string): number {
  const number = numberAt(given, index, name)
  if (Number.isSafeInteger(number)) return number
  throw new RenderError('', `${name} is ${show(given[index])} and not a whole number`)
}

/** Scalars are written out; a list or map is more likely a mistake than a text. */
export function textAt(given: readonly unknown[], index: number, name: string): string {
  const value = given[index]
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new RenderError(
    '',
    `${name} is ${value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`} and not a text`,
  )
}

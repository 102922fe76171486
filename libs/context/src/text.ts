import { RenderError } from './render-error.ts'

/** How a value is written inside longer text: maps and lists as JSON. */
export function toText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'object':
      return value === null ? 'null' : toJsonText(value)
    default:
      return String(value)
  }
}

export function toJsonText(value: unknown): string {
  try {
    // A function or `undefined`, which only code can put into a variable, has no JSON.
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    throw new RenderError(
      'json',
      `a value cannot be written as JSON: ${error instanceof Error ? error.message : error}`,
    )
  }
}

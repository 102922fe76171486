const long = /\d{16}/

/** JSON's own integers follow the same rule as columns: one that a double cannot hold stays text. */
export function jsonValue(text: string): unknown {
  if (!long.test(text)) return JSON.parse(text)
  return JSON.parse(text, keepLong)
}

function keepLong(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value
  return /^-?\d+$/.test(context.source) && !Number.isSafeInteger(value) ? context.source : value
}

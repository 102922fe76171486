import type { Row } from '../session/rows.ts'

/** Names beyond this many are not remembered; nobody has written them by hand. */
const mostNames = 10_000

/** What is wrong with a row that is to be a JSON map, in words. */
export function jsonProblem(row: Buffer, names: Set<string>): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(row.toString('utf8'))
  } catch (error) {
    return `expected JSON: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`
  }
  if (!isMap(value)) return `expected a map like {"user": "ada"}, got ${row.toString('utf8', 0, 60)}`
  for (const name of Object.keys(value)) if (names.size < mostNames) names.add(name)
  return undefined
}

export function parseJsonRow(row: Buffer): Row {
  const value: unknown = JSON.parse(row.toString('utf8'))
  return isMap(value) ? value : {}
}

const isMap = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

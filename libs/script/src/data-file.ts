import type { Fault } from '@onrush/protocol/problem'
import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { pathSegments } from './path-segments.ts'

export interface DataFile {
  readonly value: unknown
  /** `line:column` of what lies at a JSON path, or of the nearest thing around it. */
  placeOf(path: string): string
}

/** JSON.parse says where in several ways; the position is in all of them but for an early end. */
function jsonFault(text: string, error: unknown): { message: string; place: string } | undefined {
  const message = error instanceof Error ? error.message : String(error)
  const position = Number(/at position (\d+)/.exec(message)?.[1] ?? text.length)
  const before = text.slice(0, position).split('\n')
  const place = `${before.length}:${(before.at(-1) ?? '').length + 1}`
  return { message: message.replace(/ in JSON at position.*$| \(line \d+ column \d+\)$/, ''), place }
}

/**
 * Reads YAML or JSON and remembers where each value stands. JSON is YAML too, so that one tree answers for both; that
 * it is JSON indeed is checked beside it.
 */
export function readDataFile(text: string, format: 'yaml' | 'json', shown: string): DataFile | Fault[] {
  if (format === 'json') {
    try {
      JSON.parse(text)
    } catch (error) {
      const fault = jsonFault(text, error)
      return [{ path: `${shown}:${fault?.place}`, message: `expected JSON: ${fault?.message}` }]
    }
  }
  const lines = new LineCounter()
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${line}:${col}`
  }
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: format === 'yaml' })
  const problems = [...document.errors, ...document.warnings]
  if (problems.length > 0) {
    return problems.map(({ pos, message }) => ({
      path: `${shown}:${at(pos[0])}`,
      message: `expected YAML: ${message}; look at the indentation and the quotes here and just before`,
    }))
  }
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 1000 })
  } catch (error) {
    return [{ path: shown, message: error instanceof Error ? error.message : String(error) }]
  }
  const offsetOf = (path: string): number => {
    let here: unknown = document.contents
    let offset = document.contents?.range?.[0] ?? 0
    for (const segment of pathSegments(path)) {
      if (isMap(here)) {
        const pair = here.items.find(each => isScalar(each.key) && String(each.key.value) === String(segment))
        if (!isPair<Node, Node | null>(pair)) break
        offset = pair.key.range?.[0] ?? offset
        here = pair.value
      } else if (isSeq<Node>(here)) {
        const item = here.items[Number(segment)]
        if (item === undefined) break
        offset = item.range?.[0] ?? offset
        here = item
      } else break
    }
    return offset
  }
  return { value, placeOf: path => at(offsetOf(path)) }
}

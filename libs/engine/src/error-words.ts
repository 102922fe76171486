import { fileURLToPath } from 'node:url'

const located = /(?:\(|at |async )(file:\/\/[^\s()]+|\/[^\s()]+|[A-Za-z]:\\[^()]+?):(\d+):(\d+)\)?$/

/** Where the innermost line of the author's own stands, if one is known; else that of a package, or our own. */
function placeOf(stack: string): string | undefined {
  const places = stack.split('\n').flatMap(line => {
    const [, file, row, column] = located.exec(line.trim()) ?? []
    if (file === undefined) return []
    return [`${file.startsWith('file:') ? fileURLToPath(file) : file}:${row}:${column}`]
  })
  return places.find(place => !place.includes('node_modules')) ?? places[0]
}

/** What somebody's code threw, in words, with its place. */
export function errorWords(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${String(error)}`
  const place = placeOf(error.stack ?? '')
  return `${error.name}: ${error.message}${place === undefined ? '' : ` (${place})`}`
}

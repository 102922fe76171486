import { jsonPath } from '@onrush/protocol/json-path'

const segment = /\.([A-Za-z_$][\w$-]*)|\[(\d+)\]|\[(['"])((?:[^\\]|\\.)*?)\3\]/gy

/** The keys and indices of a fault's JSON path, as far as it is one: `$.a[0]['b c']` gives `a`, `0`, `b c`. */
export function pathSegments(path: string): (string | number)[] {
  if (!path.startsWith('$')) return []
  const segments: (string | number)[] = []
  segment.lastIndex = 1
  for (let found = segment.exec(path); found !== null; found = segment.exec(path)) {
    const [, name, index, , quoted] = found
    segments.push(index === undefined ? (name ?? (quoted ?? '').replaceAll(/\\(['"\\])/g, '$1')) : Number(index))
  }
  return segments
}

/** A path and all that lie around it, the innermost first. */
export function pathsAbove(path: string): string[] {
  const segments = pathSegments(path)
  return Array.from({ length: segments.length + 1 }, (_, i) => jsonPath(segments.slice(0, segments.length - i)))
}

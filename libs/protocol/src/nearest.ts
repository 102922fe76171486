/** Edit distance with transpositions of neighbours, which is what fingers do. */
function distance(a: string, b: string): number {
  const rows: number[][] = Array.from({ length: a.length + 1 }, (_, i) => [i])
  const at = (i: number, j: number) => rows[i]?.[j] ?? j
  for (let i = 1; i <= a.length; i++) {
    const row = rows[i] ?? []
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, at(i - 2, j - 2) + 1)
      row[j] = best
    }
  }
  return at(a.length, b.length)
}

/** Distances cost length squared: words longer than this are not typing slips of ours. */
const longest = 100

/** The known name a mistyped one most likely meant, or nothing when none is close (a third of its length). */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  if (word.length > longest) return undefined
  const lower = word.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 0.5
  for (const name of known) {
    if (name.length > longest) continue
    const d = distance(lower, name.toLowerCase())
    if (d < bestDistance) {
      best = name
      bestDistance = d
    }
  }
  return best
}

/** ` (did you mean "x"?)`, or the whole list where nothing is near and it is short enough to read. */
export function suggest(word: string, known: readonly string[]): string {
  const near = nearest(word, known)
  if (near !== undefined) return `did you mean "${near}"?`
  return known.length <= 24 ? `known are ${known.join(', ')}` : `${known.length} names are known`
}

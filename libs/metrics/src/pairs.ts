export function raise<K>(counts: Map<K, number>, key: K, times: number): void {
  counts.set(key, (counts.get(key) ?? 0) + times)
}

/** In an order that does not depend on who counted first, so that equal totals are equal texts. */
export function sortedPairs<K extends string | number>(counts: ReadonlyMap<K, number>): [K, number][] {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
}

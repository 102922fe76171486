/** How long to wait before the next attempt: doubling from half a second to ten, scattered so that pages do not come back all at once. */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(10_000, 500 * 2 ** attempt)
  return full / 2 + (full / 2) * random()
}

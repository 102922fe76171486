/** The largest whole number in `low`…`high` that `holds`, where it holds up to some number and no further; `low` if none. */
export function largest(low: number, high: number, holds: (n: number) => boolean): number {
  let from = low
  let to = high
  while (from < to) {
    const middle = from + Math.ceil((to - from) / 2)
    if (holds(middle)) from = middle
    else to = middle - 1
  }
  return from
}

/**
 * Whole microseconds between two instants. Whole, because a number with a fraction is a new object on the heap wherever
 * it is handed to a function that was not inlined, and each request hands on several.
 */
export function microsBetween(from: number, to: number): number {
  return Math.round((to - from) * 1000)
}

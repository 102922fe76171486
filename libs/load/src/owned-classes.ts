import { classes, classesOf, type Share } from './share.ts'

/**
 * A share made ready for stepping. The owned numbers are 0 or more, counted in rising order from 0: `countBelow` says how
 * many lie below a number, `at` is its inverse. Both take a table look-up, however large the numbers.
 */
export class OwnedClasses {
  readonly size: number
  readonly #members: Uint16Array
  /** How many owned classes lie below each class; one entry more for a whole cycle. */
  readonly #below = new Uint16Array(classes + 1)

  constructor(share: Share) {
    this.#members = Uint16Array.from(classesOf(share))
    this.size = this.#members.length
    for (const member of this.#members) this.#below[member + 1] = 1
    for (let c = 1; c <= classes; c++) this.#below[c] = (this.#below[c] ?? 0) + (this.#below[c - 1] ?? 0)
  }

  countBelow(n: number): number {
    if (n <= 0) return 0
    const cycle = Math.floor(n / classes)
    return cycle * this.size + (this.#below[n - cycle * classes] ?? 0)
  }

  at(k: number): number {
    if (this.size === 0) return Number.POSITIVE_INFINITY
    const cycle = Math.floor(k / this.size)
    return cycle * classes + (this.#members[k - cycle * this.size] ?? 0)
  }
}

/** Row numbers up to here cost one byte each; larger ones and words cost an entry of a map. */
const largestNumber = 2 ** 27

/** A byte holds 0…254; 255 says that the true count is in the map. */
const overflow = 255

const sampleSize = 100

/**
 * How often each value of a data row has arrived. Whole numbers are counted in a byte array, so that ten million rows
 * take ten megabytes and both questions, "which came twice" and "which never came", stay exact.
 */
export class Rows {
  #seen = 0
  #numbers = new Uint8Array(1024)
  #least = Number.POSITIVE_INFINITY
  #most = Number.NEGATIVE_INFINITY
  readonly #words = new Map<string, number>()

  add(value: string): void {
    this.#seen++
    const number = toNumber(value)
    if (number === undefined) {
      this.#words.set(value, (this.#words.get(value) ?? 0) + 1)
      return
    }
    if (number >= this.#numbers.length) this.#grow(number)
    this.#least = Math.min(this.#least, number)
    this.#most = Math.max(this.#most, number)
    const before = this.#numbers[number] ?? 0
    if (before < overflow - 1) this.#numbers[number] = before + 1
    else {
      this.#numbers[number] = overflow
      this.#words.set(value, (this.#words.get(value) ?? overflow - 1) + 1)
    }
  }

  #grow(number: number): void {
    const wider = new Uint8Array(Math.min(largestNumber, Math.max(number + 1, this.#numbers.length * 2)))
    wider.set(this.#numbers)
    this.#numbers = wider
  }

  toJSON() {
    let distinct = 0
    let repeated = 0
    let missing = 0
    const repeatedRows: Record<string, number> = {}
    const missingRows: number[] = []
    const look = (row: string, count: number) => {
      distinct++
      if (count > 1 && repeated++ < sampleSize) repeatedRows[row] = count
    }
    for (let number = this.#least; number <= this.#most; number++) {
      const count = this.#numbers[number]
      if (count === 0) {
        if (missing++ < sampleSize) missingRows.push(number)
      } else if (count !== undefined && count !== overflow) look(String(number), count)
    }
    for (const [row, count] of this.#words) look(row, count)
    const range = this.#least <= this.#most ? { least: this.#least, most: this.#most } : {}
    return { seen: this.#seen, distinct, repeated, repeatedRows, ...range, missing, missingRows }
  }
}

/** Only the one way of writing a number that `String` gives: `7` and `07` are two rows. */
function toNumber(value: string): number | undefined {
  if (value.length > 9) return undefined
  const number = Number(value)
  return Number.isInteger(number) && number >= 0 && number < largestNumber && String(number) === value
    ? number
    : undefined
}

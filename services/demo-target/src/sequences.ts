/** Numbers that are handed out in order, from 1. A reset of the stats starts them again, so that a test can repeat itself. */
export class Sequences {
  #orders = 0
  #flaky = 0

  nextOrder(): number {
    return ++this.#orders
  }

  nextFlaky(): number {
    return ++this.#flaky
  }

  reset(): void {
    this.#orders = 0
    this.#flaky = 0
  }
}

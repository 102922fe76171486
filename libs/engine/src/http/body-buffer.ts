const nothing = new Uint8Array(0)

/** Smallest room made for a body of unknown length. */
const least = 16_384

/**
 * A body as it comes in. One piece, as most bodies are, is kept as it is; more are copied together at once: a server
 * that sends a few bytes at a time would otherwise cost some 150 bytes for each of them, ten times the body.
 */
export class BodyBuffer {
  #bytes: Uint8Array = nothing
  #length = 0
  /** Whether the room is ours to write into. */
  #isOwn = false

  /**
   * `expected` is how long the whole is said to be; 0 when nobody knows. A piece that is lent will hold other bytes in
   * the next turn.
   */
  append(piece: Uint8Array, expected: number, isLent: boolean): void {
    if (this.#length === 0 && !isLent) {
      this.#bytes = piece
      this.#length = piece.length
      return
    }
    const needed = this.#length + piece.length
    if (needed > this.#room()) {
      const isWhole = this.#length === 0 && needed >= expected
      // What is whole already, as most bodies are, is given just the room it needs, and a small one out of Node's pool.
      const room = isWhole
        ? Buffer.allocUnsafe(needed)
        : Buffer.allocUnsafeSlow(Math.max(needed, expected, expected === 0 ? 2 * needed : 0, least))
      room.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = room
      this.#isOwn = true
    }
    this.#bytes.set(piece, this.#length)
    this.#length = needed
  }

  #room(): number {
    return this.#isOwn ? this.#bytes.length : 0
  }

  /** Forgets all but the beginning, and what held the rest. */
  cut(length: number): void {
    this.#bytes = this.bytes().slice(0, length)
    this.#length = this.#bytes.length
    this.#isOwn = false
  }

  bytes(): Uint8Array {
    return this.#bytes.length === this.#length ? this.#bytes : this.#bytes.subarray(0, this.#length)
  }
}

/** What can stand in a wheel: its links are its own, so that standing in it allocates nothing. */
export class WheelEntry {
  /** When it is due. Later than where it was placed is found out when that place comes round. */
  deadline = Number.POSITIVE_INFINITY
  placedFor = Number.POSITIVE_INFINITY
  bucket = -1
  next: WheelEntry | undefined = undefined
  previous: WheelEntry | undefined = undefined
}

/**
 * Deadlines in a hashed wheel: adding, moving and removing are a few assignments, which a timer for each request would
 * not be. Nothing expires early, and at most one tick late. With 256 ticks of 20 ms a deadline a minute away is looked
 * at 12 times before it is due.
 */
export class DeadlineWheel<T extends WheelEntry> {
  readonly #buckets: (WheelEntry | undefined)[]
  readonly #mask: number
  readonly #tickMs: number
  #tick: number
  #size = 0

  /** `buckets` is a power of two. */
  constructor(now: number, tickMs: number, buckets: number) {
    this.#buckets = new Array(buckets).fill(undefined)
    this.#mask = buckets - 1
    this.#tickMs = tickMs
    this.#tick = Math.floor(now / tickMs)
  }

  get size(): number {
    return this.#size
  }

  add(entry: T, deadline: number): void {
    entry.deadline = deadline
    this.#link(entry)
    this.#size++
  }

  /** Later costs one assignment; earlier takes the entry to another place. */
  move(entry: T, deadline: number): void {
    entry.deadline = deadline
    if (entry.bucket === -1 || deadline >= entry.placedFor) return
    this.#unlink(entry)
    this.#link(entry)
  }

  remove(entry: T): void {
    if (entry.bucket === -1) return
    this.#unlink(entry)
    this.#size--
  }

  /** Gives every entry that is due by `now` to `expired`, which finds it removed already. */
  advance(now: number, expired: (entry: T) => void): void {
    const tick = Math.floor(now / this.#tickMs)
    const first = Math.max(this.#tick + 1, tick - this.#mask)
    this.#tick = Math.max(this.#tick, tick)
    for (let each = first; each <= tick; each++) this.#visit(each & this.#mask, now, expired)
  }

  /** All entries, due or not, as they stood when it was called. */
  entries(): T[] {
    const all: T[] = []
    for (const head of this.#buckets)
      for (let entry = head; entry !== undefined; entry = entry.next) all.push(entry as T)
    return all
  }

  #visit(bucket: number, now: number, expired: (entry: T) => void): void {
    // What is due is collected first: `expired` may add and remove entries of this very bucket.
    let due: T[] | undefined
    let entry = this.#buckets[bucket]
    while (entry !== undefined) {
      const { next } = entry
      if (entry.deadline <= now) {
        due ??= []
        due.push(entry as T)
      } else if (entry.deadline !== entry.placedFor) {
        this.#unlink(entry)
        this.#link(entry)
      }
      entry = next
    }
    if (due === undefined) return
    for (const each of due) this.remove(each)
    for (const each of due) expired(each)
  }

  #link(entry: WheelEntry): void {
    const { deadline } = entry
    const tick =
      deadline === Number.POSITIVE_INFINITY ? 0 : Math.max(Math.ceil(deadline / this.#tickMs), this.#tick + 1)
    const bucket = tick & this.#mask
    const head = this.#buckets[bucket]
    entry.placedFor = deadline
    entry.bucket = bucket
    entry.previous = undefined
    entry.next = head
    if (head !== undefined) head.previous = entry
    this.#buckets[bucket] = entry
  }

  #unlink(entry: WheelEntry): void {
    const { previous, next } = entry
    if (previous === undefined) this.#buckets[entry.bucket] = next
    else previous.next = next
    if (next !== undefined) next.previous = previous
    entry.previous = undefined
    entry.next = undefined
    entry.bucket = -1
  }
}

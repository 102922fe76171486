import type { Covers } from '@onrush/protocol/frame'

type Range = [number, number]

/** Which seconds of which shards have been counted: the memory that makes counting twice impossible. */
export class Coverage {
  readonly #shards = new Map<string, Range[]>()

  static of(covers: Covers): Coverage {
    const coverage = new Coverage()
    for (const [shard, ranges] of covers) for (const range of ranges) coverage.#insert(shard, range)
    return coverage
  }

  #insert(shard: string, [first, last]: Range): void {
    const joined: Range[] = []
    let from = first
    let to = last
    for (const range of this.#shards.get(shard) ?? []) {
      if (range[1] + 1 < from || to + 1 < range[0]) joined.push(range)
      else {
        from = Math.min(from, range[0])
        to = Math.max(to, range[1])
      }
    }
    joined.push([from, to])
    this.#shards.set(
      shard,
      joined.sort((a, b) => a[0] - b[0]),
    )
  }

  #holds(shard: string, [first, last]: Range): boolean {
    return (this.#shards.get(shard) ?? []).some(([from, to]) => from <= first && last <= to)
  }

  #touches(shard: string, [first, last]: Range): boolean {
    return (this.#shards.get(shard) ?? []).some(([from, to]) => from <= last && first <= to)
  }

  /** What adding would mean: news, nothing new, or a part that is in already (which cannot be taken out again). */
  compare(covers: Covers): 'new' | 'known' | 'overlap' {
    const all = covers.flatMap(([shard, ranges]) => ranges.map(range => ({ shard, range })))
    if (all.every(({ shard, range }) => !this.#touches(shard, range))) return 'new'
    return all.every(({ shard, range }) => this.#holds(shard, range)) ? 'known' : 'overlap'
  }

  add(covers: Covers): void {
    for (const [shard, ranges] of covers) for (const range of ranges) this.#insert(shard, range)
  }

  toCovers(): Covers {
    return [...this.#shards].sort(([a], [b]) => (a < b ? -1 : 1)).map(([shard, ranges]) => [shard, [...ranges]])
  }

  /** Seconds below a shard's last that never came. */
  missing(): { shard: string; first: number; last: number }[] {
    const gaps: { shard: string; first: number; last: number }[] = []
    for (const [shard, ranges] of this.#shards) {
      let expected = 1
      for (const [from, to] of ranges) {
        if (from > expected) gaps.push({ shard, first: expected, last: from - 1 })
        expected = to + 1
      }
    }
    return gaps
  }
}

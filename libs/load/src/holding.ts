import { classesOf, type Share, strides } from './share.ts'

/** Ownership of the numbers `after < n <= upTo` in the classes of a share. No `upTo` means: to the end. */
export interface Span {
  share: Share
  after: number
  upTo?: number | undefined
}

/**
 * What one shard owns over the whole run. Spans are only ever shortened or added, never reordered, so a cursor keeps its
 * place when the holding is revised, and what a shard gains never changes which of its threads runs what it had before.
 */
export type Holding = readonly Span[]

export function holdingOf(share: Share): Holding {
  return [{ share, after: -1 }]
}

/**
 * From the first number after `after` on, the `moved` classes that `from` owns belong to `to`. With `after` =
 * `pacer.plannedBy(instant)` the change falls on that instant, and no arrival is lost or doubled.
 *
 * A shard that goes on after giving classes away must hear of it before it steps past `after`; for one that is dead,
 * any `after` will do: the new owner sends late what has become due meanwhile. Users move as a whole: `after` is −1.
 */
export function transfer(from: Holding, to: Holding, moved: Share, after: number): { from: Holding; to: Holding } {
  const wanted = new Set(classesOf(moved))
  const kept: Span[] = []
  const left: Span[] = []
  const gained: Span[] = []
  for (const span of from) {
    const given = span.upTo === undefined ? classesOf(span.share).filter(member => wanted.has(member)) : []
    if (given.length === 0) {
      kept.push(span)
      continue
    }
    const start = Math.max(span.after, after)
    kept.push({ ...span, upTo: start })
    gained.push({ share: strides(given), after: start })
    const rest = classesOf(span.share).filter(member => !wanted.has(member))
    if (rest.length > 0) left.push({ share: strides(rest), after: start })
  }
  return { from: [...kept, ...left], to: [...to, ...gained] }
}

/** The share that a holding has in the numbers after its last change. */
export function currentShare(holding: Holding): Share {
  const members = holding.filter(span => span.upTo === undefined).flatMap(span => classesOf(span.share))
  return strides(members.sort((a, b) => a - b))
}

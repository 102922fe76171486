import type { Feed } from '@onrush/protocol/feed'
import { permutation } from './permutation.ts'
import { Draws } from './random.ts'

/** Which row each session uses: a function of the session's number alone, so it is the same however the run is split. */
export interface FeederOrder {
  /** The row (from 0) of session `n` (from 1); `undefined` when unique rows are used up and sessions are to end. */
  rowOf(n: number): number | undefined
}

/**
 * `unique` rows serve the first `rows` sessions, one each; after that, `whenEmpty` says whether sessions end (the
 * default) or the rows begin again. `circular` (the default) always begins again. `shuffle` deals a fresh order each
 * time through.
 */
export function feederOrder(
  feed: Pick<Feed, 'order' | 'share' | 'whenEmpty'>,
  rows: number,
  seed: number,
): FeederOrder {
  if (rows === 0) return { rowOf: () => undefined }
  const ends = feed.share === 'unique' && feed.whenEmpty !== 'wrap'
  const rowOf = ordered(feed.order ?? 'sequential', rows, seed)
  return { rowOf: n => (ends && n > rows ? undefined : rowOf(n)) }
}

function ordered(order: NonNullable<Feed['order']>, rows: number, seed: number): (n: number) => number {
  switch (order) {
    case 'sequential':
      return n => (n - 1) % rows
    case 'shuffle':
      return shuffled(rows, seed)
    case 'random': {
      const draws = new Draws(seed, 'rows')
      return n => Math.floor(draws.restart(n).uniform() * rows)
    }
    default:
      return order satisfies never
  }
}

function shuffled(rows: number, seed: number): (n: number) => number {
  const draws = new Draws(seed, 'order')
  let pass = -1
  let place: (index: number) => number = index => index
  return n => {
    const wanted = Math.floor((n - 1) / rows)
    if (wanted !== pass) {
      pass = wanted
      place = permutation(rows, draws.restart(pass).bits())
    }
    return place((n - 1) % rows)
  }
}

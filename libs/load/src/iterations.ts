import type { OwnedCursor } from './owned-cursor.ts'

/**
 * The sessions of one slice out of a fixed number over so many users. A pool shared by all workers would need a question
 * over the network for each session; so session i (from 0) is dealt to user `i mod users` and belongs to the slice that
 * owns this user, and a slice without users has no sessions. Within a slice its users do share: whichever is free takes
 * the slice's next session.
 */
export interface IterationPool {
  /** How many users this slice runs. */
  readonly users: number
  /** How many sessions are this slice's to run in all. */
  readonly total: number
  /** The k-th of them (from 0) as its number in the whole run (from 1); `Infinity` past the end. */
  sessionAt(k: number): number
}

export function iterationPool(plan: { iterations: number; users: number }, ownedUsers: OwnedCursor): IterationPool {
  const { iterations, users } = plan
  const mine = ownedUsers.countBelow(users)
  const rounds = Math.floor(iterations / users)
  const total = rounds * mine + ownedUsers.countBelow(iterations - rounds * users)
  return {
    users: Math.min(mine, total),
    total,
    sessionAt(k) {
      if (k >= total) return Number.POSITIVE_INFINITY
      const round = Math.floor(k / mine)
      return sessionNumber(ownedUsers.at(k - round * mine), round, users)
    },
  }
}

/**
 * The number in the run (from 1) of a user's `pass` (from 0). In closed profiles, where every user repeats by itself, it
 * gives feeders a number that no other session has; `users` is then the most there will be at once.
 */
export function sessionNumber(user: number, pass: number, users: number): number {
  return pass * users + user + 1
}

import { holdingOf } from '@onrush/load/holding'
import { sessionNumber } from '@onrush/load/iterations'
import { OwnedCursor, type Slice } from '@onrush/load/owned-cursor'
import type { ClosedPlan } from '@onrush/load/plan'
import type { Share } from '@onrush/load/share'
import type { Ending, Population } from '../session/population.ts'
import type { RunClock } from '../session/run-clock.ts'
import type { Session } from '../session/session.ts'
import { type Dispatch, startsPerTurn } from './dispatch.ts'

export interface ClosedOptions {
  readonly slice: Slice
  readonly share: Share
  /** Of the whole run: user numbers from this on are dropped, whoever owns them. */
  readonly maxUsers: number
}

interface User {
  passes: number
  session: Session | undefined
}

/** Keeps so many users going: each begins again when its session ends, while it is wanted. */
export class ClosedDispatch implements Dispatch {
  readonly #plan: ClosedPlan
  readonly #population: Population
  readonly #clock: RunClock
  readonly #slice: Slice
  readonly #maxUsers: number
  readonly #users = new Map<number, User>()
  #owned: OwnedCursor
  /** How many of the slice's own users are wanted, and how many of those have been looked at. */
  #wanted = 0
  #begun = 0
  #dropped = 0
  #wantedSince = 0
  #changeAt: number
  #reassigned: { share: Share; at: number } | undefined = undefined
  #stopped = false

  constructor(plan: ClosedPlan, population: Population, clock: RunClock, options: ClosedOptions) {
    this.#plan = plan
    this.#population = population
    this.#clock = clock
    this.#slice = options.slice
    this.#maxUsers = options.maxUsers
    this.#owned = new OwnedCursor(holdingOf(options.share), options.slice, 0)
    this.#changeAt = plan.startsAt
  }

  get done(): boolean {
    return this.#stopped || (this.#wanted === 0 && this.#changeAt === Number.POSITIVE_INFINITY)
  }

  advance(t: number): number {
    if (this.#stopped) return Number.POSITIVE_INFINITY
    if (this.#reassigned !== undefined && this.#reassigned.at <= t) this.#takeOver(this.#reassigned)
    if (t >= this.#changeAt) {
      const { crowd } = this.#plan
      // Asked at the instant itself, not at the moment we got to it, so that no change between the two is missed.
      while (this.#changeAt <= t) {
        this.#want(crowd.usersAt(this.#changeAt))
        this.#wantedSince = this.#changeAt
        this.#changeAt = crowd.nextChangeAfter(this.#wantedSince)
        if (!this.#begin()) return t
      }
    } else if (!this.#begin()) return t
    return Math.min(this.#changeAt, this.#reassigned?.at ?? Number.POSITIVE_INFINITY)
  }

  stop(): void {
    this.#stopped = true
    this.#reassigned = undefined
  }

  reassign(share: Share, at: number): void {
    this.#reassigned = { share, at }
  }

  #want(users: number): void {
    const capped = Math.min(users, this.#maxUsers)
    const beyond = this.#owned.countBelow(users) - this.#owned.countBelow(capped)
    for (; this.#dropped < beyond; this.#dropped++) this.#population.dropped()
    this.#wanted = this.#owned.countBelow(capped)
    for (let k = this.#wanted; k < this.#begun; k++) {
      const session = this.#users.get(this.#owned.at(k))?.session
      if (session !== undefined) session.leaving = true
    }
    this.#begun = Math.min(this.#begun, this.#wanted)
  }

  /** False: there are more to start, in another turn. */
  #begin(): boolean {
    for (let started = 0; this.#begun < this.#wanted; started++) {
      if (started === startsPerTurn) return false
      const number = this.#owned.at(this.#begun++)
      const user = this.#users.get(number) ?? { passes: 0, session: undefined }
      this.#users.set(number, user)
      // One that was leaving and is wanted again simply stays.
      if (user.session !== undefined) user.session.leaving = false
      // A crowd that is wanted at the very start cannot all leave at one instant, and no plan says in which order: only
      // those wanted later have an instant to keep.
      else this.#start(number, user, this.#clock.instantOf(this.#wantedSince), this.#wantedSince > this.#plan.startsAt)
    }
    return true
  }

  #start(number: number, user: User, due: number, planned: boolean): void {
    const session = sessionNumber(number, user.passes, this.#plan.crowd.peak)
    user.passes++
    user.session = this.#population.start(
      { number: session, user: number + 1, iteration: user.passes, arrival: 0, due, planned },
      (ending, nextDue) => this.#ended(number, user, ending, nextDue),
    )
  }

  #ended(number: number, user: User, ending: Ending, due: number): void {
    user.session = undefined
    if (ending === 'empty') {
      this.stop()
      return
    }
    if (this.#stopped || ending === 'interrupted') return
    // A session that ends at the very instant of a change may be told before the slice's timer is.
    const t = this.#clock.now()
    if (this.#changeAt <= t) this.advance(t)
    if (isBusy(user)) return
    const place = this.#owned.countBelow(number)
    const owns = this.#owned.at(place) === number
    if (owns && place < this.#begun) this.#start(number, user, due, false)
  }

  #takeOver({ share, at }: { share: Share; at: number }): void {
    this.#reassigned = undefined
    const owned = new OwnedCursor(holdingOf(share), this.#slice, 0)
    for (const [number, { session }] of this.#users) {
      if (session !== undefined && owned.at(owned.countBelow(number)) !== number) session.leaving = true
    }
    this.#owned = owned
    this.#begun = 0
    this.#dropped = 0
    this.#wantedSince = at
    this.#want(this.#plan.crowd.usersAt(at))
  }
}

function isBusy(user: User): boolean {
  return user.session !== undefined
}

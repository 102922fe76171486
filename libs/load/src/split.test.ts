import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openCrowd } from './closed.ts'
import { type Holding, holdingOf, transfer } from './holding.ts'
import { OwnedCursor } from './owned-cursor.ts'
import { openPacer, type PacerOptions } from './pacer.ts'
import { closedProfile, openProfile, split } from './random-profiles.testing.ts'
import { dealShare, dealShares } from './share.ts'

const slicesOf = (holding: Holding, threads: number, from: number): OwnedCursor[] =>
  Array.from({ length: threads }, (_, thread) => new OwnedCursor(holding, { thread, threads }, from))
const ascending = (a: number, b: number): number => a - b

describe('open profiles', () => {
  test('however a run is split, and though a worker is lost in the middle, its due times are those of one', () => {
    const options = fc.record<PacerOptions>({
      arrivals: fc.constantFrom('uniform', 'poisson'),
      seed: fc.nat(),
      startAfter: fc.constantFrom(0, 333.3),
      maxDuration: fc.option(fc.integer({ min: 0, max: 9000 }), { nil: undefined }),
    })
    const loss = fc.record({
      who: fc.nat(),
      when: fc.double({ min: 0, max: 1, noNaN: true }),
      news: fc.nat({ max: 500 }),
    })
    fc.assert(
      fc.property(openProfile, options, split, loss, (inject, options, { weights, threads }, { who, when, news }) => {
        const whole = openPacer(inject, options)
        const expected = Array.from({ length: whole.total }, (_, i) => whole.dueAt(i + 1)).sort(ascending)

        const shares = dealShares(weights)
        const lost = weights.length === 1 ? undefined : who % weights.length
        const instant = whole.duration * when
        const after = whole.plannedBy(instant)
        const due: number[] = []
        const survivors = shares.flatMap((_, i) => (i === lost ? [] : [i]))
        const gains =
          lost === undefined
            ? []
            : dealShare(
                shares[lost] ?? [],
                survivors.map(i => weights[i] ?? 0),
              )

        shares.forEach((share, i) => {
          for (const cursor of slicesOf(holdingOf(share), threads, 1)) {
            // Each slice has a pacer of its own, as each thread has.
            const pacer = openPacer(inject, options)
            const run = (until: (n: number) => boolean): void => {
              while (cursor.peek() <= pacer.total && until(cursor.peek())) due.push(pacer.dueAt(cursor.next()))
            }
            if (i === lost) {
              run(n => pacer.dueAt(n) <= instant)
              continue
            }
            // The survivors go on for a while before they hear of the loss.
            run(n => pacer.dueAt(n) <= instant + news)
            const gain = lost === undefined ? undefined : gains[survivors.indexOf(i)]
            if (gain !== undefined) {
              cursor.revise(transfer(holdingOf(shares[lost ?? 0] ?? []), holdingOf(share), gain, after).to)
            }
            run(() => true)
          }
        })
        expect(due.sort(ascending)).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })

  test('a schedule never goes back, never leaves the plan, and agrees with its own count', () => {
    fc.assert(
      fc.property(
        openProfile,
        fc.constantFrom('uniform' as const, 'poisson' as const),
        fc.nat(),
        (inject, arrivals, seed) => {
          const pacer = openPacer(inject, { arrivals, seed })
          let before = 0
          for (let n = 1; n <= pacer.total; n++) {
            const due = pacer.dueAt(n)
            expect(due).toBeGreaterThanOrEqual(before)
            expect(pacer.plannedBy(due)).toBeGreaterThanOrEqual(n)
            before = due
          }
          expect(before).toBeLessThanOrEqual(pacer.duration)
          expect(Math.abs(pacer.wantedBy(pacer.duration) - pacer.total)).toBeLessThan(1)
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('closed profiles', () => {
  const options = fc.record({
    startAfter: fc.constantFrom(0, 333.3),
    maxDuration: fc.option(fc.integer({ min: 0, max: 9000 }), { nil: undefined }),
    rampDown: fc.constantFrom(0, 1000),
  })

  test('the slices together want as many users as the whole, at every moment', () => {
    fc.assert(
      fc.property(closedProfile, options, split, (inject, options, { weights, threads }) => {
        const crowd = openCrowd(inject, options)
        const cursors = dealShares(weights).flatMap(share => slicesOf(holdingOf(share), threads, 0))
        for (
          let t = -1, changes = 0;
          t < Number.POSITIVE_INFINITY && changes < 200;
          t = crowd.nextChangeAfter(t), changes++
        ) {
          const users = crowd.usersAt(t)
          expect(cursors.reduce((sum, cursor) => sum + cursor.countBelow(users), 0)).toBe(users)
        }
        const named = cursors.flatMap(cursor => {
          const own: number[] = []
          while (cursor.peek() < crowd.peak) own.push(cursor.next())
          return own
        })
        expect(named.sort(ascending)).toEqual(Array.from({ length: crowd.peak }, (_, u) => u))
      }),
      { numRuns: 60 },
    )
  })

  test('the changes are all the changes: between two of them nothing moves', () => {
    fc.assert(
      fc.property(closedProfile, options, (inject, options) => {
        const crowd = openCrowd(inject, options)
        let t = -1
        let peak = 0
        for (;;) {
          const next = crowd.nextChangeAfter(t)
          const users = crowd.usersAt(t)
          peak = Math.max(peak, users)
          if (next === Number.POSITIVE_INFINITY) break
          expect(next).toBeGreaterThan(t)
          for (const between of [0.25, 0.5, 0.999]) expect(crowd.usersAt(t + (next - t) * between)).toBe(users)
          expect(crowd.usersAt(next)).not.toBe(users)
          t = next
        }
        expect(crowd.usersAt(t)).toBe(0)
        expect(t).toBeLessThanOrEqual(crowd.duration)
        expect(peak).toBe(crowd.peak)
      }),
      { numRuns: 200 },
    )
  })
})

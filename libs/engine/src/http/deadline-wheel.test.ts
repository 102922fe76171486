import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DeadlineWheel, WheelEntry } from './deadline-wheel.ts'

class Named extends WheelEntry {
  readonly name: number
  constructor(name: number) {
    super()
    this.name = name
  }
}

type Action =
  | { type: 'add'; in: number }
  | { type: 'move'; which: number; in: number }
  | { type: 'remove'; which: number }
  | { type: 'advance'; by: number }

const delay = fc.integer({ min: -50, max: 3000 })
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ type: fc.constant('add' as const), in: delay }),
  fc.record({ type: fc.constant('move' as const), which: fc.nat(30), in: delay }),
  fc.record({ type: fc.constant('remove' as const), which: fc.nat(30) }),
  fc.record({ type: fc.constant('advance' as const), by: fc.integer({ min: 0, max: 1200 }) }),
)

test('an entry expires once, never early, and at most a tick after it is due', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 120 }), actions => {
      const tick = 10
      let now = 12_345
      const wheel = new DeadlineWheel<Named>(now, tick, 16)
      const all: Named[] = []
      const live = new Map<Named, number>()
      for (const each of actions) {
        if (each.type === 'add') {
          const entry = new Named(all.length)
          all.push(entry)
          live.set(entry, now + each.in)
          wheel.add(entry, now + each.in)
        } else if (each.type === 'advance') {
          now += each.by
          wheel.advance(now, entry => {
            expect(live.get(entry)).toBeLessThanOrEqual(now)
            live.delete(entry)
          })
        } else {
          const entry = all[each.which]
          if (entry === undefined || !live.has(entry)) continue
          if (each.type === 'remove') {
            wheel.remove(entry)
            live.delete(entry)
          } else {
            wheel.move(entry, now + each.in)
            live.set(entry, now + each.in)
          }
        }
        expect(wheel.size).toBe(live.size)
        expect(new Set(wheel.entries())).toEqual(new Set(live.keys()))
      }
      now += tick
      wheel.advance(now, entry => live.delete(entry))
      for (const deadline of live.values()) expect(deadline).toBeGreaterThan(now - tick)
      wheel.advance(now + 1_000_000, entry => live.delete(entry))
      expect(live.size).toBe(0)
    }),
  )
})

test('an entry without a deadline stays until it is removed', () => {
  const wheel = new DeadlineWheel<Named>(0, 10, 16)
  const entry = new Named(1)
  wheel.add(entry, Number.POSITIVE_INFINITY)
  wheel.advance(1e9, () => expect.unreachable())
  wheel.remove(entry)
  expect(wheel.size).toBe(0)
})

test('what expires may add to the wheel and remove from it', () => {
  const wheel = new DeadlineWheel<Named>(0, 10, 16)
  const [first, second, third] = [new Named(1), new Named(2), new Named(3)]
  wheel.add(first, 10)
  wheel.add(second, 15)
  const seen: number[] = []
  wheel.advance(20, entry => {
    seen.push(entry.name)
    if (entry === first) wheel.add(third, 20)
  })
  wheel.advance(30, entry => seen.push(entry.name))
  expect(seen.sort()).toEqual([1, 2, 3])
})

import { expect, it } from 'vitest'
import { allocateMemory } from './memory.ts'
import { Recorder } from './recorder.ts'
import { ShardFrames } from './shard-frames.ts'
import { summarise } from './summary.ts'
import { Totals } from './totals.ts'

/**
 * wrk2's argument. A connection pool sends 500 requests a second for 10 s at a target that answers within a millisecond,
 * except that it freezes for the first 6 s. Who waits for the frozen answer before sending the next request measures one slow
 * request and thousands of quick ones, and calls the target healthy. From the moment each request was due, those of the
 * freeze waited 6 s, 5.998 s, … 0 s: 3000 of 5000, spread evenly. Nothing here runs on a clock.
 */
it('a freeze of 6 s in 10 s shows from due, and hides from send', () => {
  const memory = allocateMemory({ steps: 1, groups: 1, populations: 1, metrics: 1, tagged: 1 })
  const step = new Recorder(memory).step({ scenario: 'frozen', step: 'get' })
  const freezeMs = 6000
  const answerMs = 0.8
  let freeAt = 0
  for (let n = 1; n <= 5000; n++) {
    const due = n * 2
    const sent = Math.max(due, freeAt)
    const answered = (sent < freezeMs && n === 1 ? freezeMs : sent) + answerMs
    // One connection: what was due in the meantime goes out the moment it is free, and is answered at once.
    freeAt = n === 1 ? answered : freeAt
    step.record(true, 200, (answered - due) * 1000, (answered - sent) * 1000, 0, 0)
  }
  const totals = new Totals()
  totals.add(new ShardFrames({ run: 'wrk2', shard: 'a', memories: [memory] }).take(10_000, { final: true }))
  const { duration, service } = summarise(totals).whole

  expect(duration?.p50).toBeGreaterThan(0.95e3)
  expect(duration?.p50).toBeLessThan(1.05e3)
  expect(duration?.p90).toBeGreaterThan(4.95e3)
  expect(duration?.p90).toBeLessThan(5.05e3)
  expect(duration?.p99).toBeGreaterThan(5.85e3)
  expect(duration?.p99).toBeLessThan(5.95e3)
  // The innocent numbers, from the same 5000 requests.
  expect(service?.p50).toBe(0.8)
  expect(service?.p99).toBe(0.8)
  expect(service?.p999).toBe(0.8)
  expect(service?.max).toBeGreaterThan(5.9e3)
})

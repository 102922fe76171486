import { expect, test } from 'vitest'
import { waitFor } from '../steps/pause.ts'
import { Session } from './session.ts'

function fresh() {
  const lags: number[] = []
  const session = new Session({ sendLag: micros => lags.push(micros) })
  session.reset(1)
  return { session, lags }
}

test('a wait ends when its time has come, never before', async () => {
  const { session } = fresh()
  const until = performance.now() + 20
  await session.sleepUntil(until)
  expect(performance.now()).toBeGreaterThanOrEqual(until)
})

test('a wait counts from when the request before ended, not from when that was noticed', async () => {
  const { session } = fresh()
  const ended = performance.now() - 15
  session.ended(ended)
  await waitFor(session, 20)
  expect(session.due).toBe(ended + 20)
  session.ended(performance.now() - 50)
  expect(waitFor(session, 20)).toBeUndefined()
})

test('an interruption ends a wait at once, aborts what listens, and lets nothing begin', async () => {
  const { session } = fresh()
  const { signal } = session
  const waiting = session.sleepUntil(performance.now() + 3_600_000)
  session.interrupt()
  await waiting
  expect(signal.aborted).toBe(true)
  expect(session).toMatchObject({ over: true, interrupted: true })
  await session.sleepUntil(performance.now() + 3_600_000)
})

test('used again, it remembers nothing, and a used up signal is a new one', () => {
  const { session } = fresh()
  const { signal } = session
  session.interrupt()
  session.setPace(session, 1)
  session.reset(2)
  expect(session).toMatchObject({ number: 2, over: false, interrupted: false, failed: false, leaving: false })
  expect(session.paceOf(session)).toBeUndefined()
  expect(session.signal).not.toBe(signal)
  expect(session.signal.aborted).toBe(false)
})

test('being late counts where an instant was planned, not where a request follows another', () => {
  const { session, lags } = fresh()
  session.plan(performance.now() - 7)
  session.sending()
  session.ended(performance.now() - 100)
  session.sending()
  expect(lags).toHaveLength(1)
  expect(lags[0]).toBeGreaterThanOrEqual(7000)
})

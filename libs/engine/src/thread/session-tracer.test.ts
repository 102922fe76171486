import { expect, it } from 'vitest'
import { sessionTracer } from './session-tracer.ts'

it('tells of twenty sessions a second, each by a name of its own, and of so much of each', () => {
  const told: string[] = []
  let now = 0
  const next = sessionTracer(
    1,
    () => now,
    session => told.push(session),
  )
  const first = Array.from({ length: 30 }, () => next())
  expect(first.filter(trace => trace !== undefined).length).toBe(20)
  now = 1000
  const later = next()
  for (let i = 0; i < 600; i++) later?.({ type: 'pause', ms: 1 })
  first[0]?.({ type: 'end', ok: true })
  expect([told.length, new Set(told)]).toEqual([501, new Set(['2-21', '2-1'])])
})

import { expect, it } from 'vitest'
import { repeat } from './repeat.ts'

it('takes turns one at a time, tells what failed, and goes on', async () => {
  let [turns, atOnce, most] = [0, 0, 0]
  const failures: unknown[] = []
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  const repeating = repeat(
    1,
    async () => {
      most = Math.max(most, ++atOnce)
      // Longer than the interval.
      await new Promise(done => setTimeout(done, 10))
      atOnce--
      if (++turns === 3) resolve()
      if (turns === 2) throw new Error('the second one')
    },
    error => failures.push(error),
  )
  await enough
  repeating.stop()
  expect(most).toBe(1)
  expect(failures.map(String)).toEqual(['Error: the second one'])
  const before = turns
  await new Promise(done => setTimeout(done, 30))
  expect(turns).toBeLessThanOrEqual(before + 1)
})

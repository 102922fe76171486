import { expect, it } from 'vitest'
import { nearest, suggest } from './nearest.ts'

it.each([
  ['chekc', 'check'],
  ['rnu', 'run'],
  ['Compile', 'compile'],
  ['atOnceUser', 'atOnceUsers'],
])('takes %s for %s', (typed, meant) => {
  expect(nearest(typed, ['check', 'run', 'compile', 'atOnceUsers'])).toBe(meant)
})

it('suggests nothing for a word that resembles none, and lists what there is', () => {
  expect(nearest('zebra', ['check', 'run'])).toBeUndefined()
  expect(suggest('zebra', ['check', 'run'])).toBe('known are check, run')
})

it('spends no time on absurdly long words', () => {
  expect(nearest('x'.repeat(1_000_000), ['check'])).toBeUndefined()
})

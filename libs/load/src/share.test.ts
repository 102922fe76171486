import fc from 'fast-check'
import { expect, test } from 'vitest'
import { classes, classesOf, dealShare, dealShares, type Share, shareSize, strides, wholeShare } from './share.ts'

const everyClass = Array.from({ length: classes }, (_, c) => c)
const together = (shares: Share[]): number[] => shares.flatMap(classesOf).sort((a, b) => a - b)

test.each<{ why: string; weights: number[]; shares: Share[] }>([
  { why: 'one worker owns everything', weights: [1], shares: [[[0, 1, classes]]] },
  { why: 'equal workers take turns', weights: [1, 1, 1], shares: [[[0, 3, 9240]], [[1, 3, 9240]], [[2, 3, 9240]]] },
  {
    why: 'equal weights are equal, whatever they are',
    weights: [0.5, 0.5],
    shares: [[[0, 2, 13860]], [[1, 2, 13860]]],
  },
  {
    why: 'two to one, never two steps late',
    weights: [2, 1],
    shares: [
      [
        [0, 3, 9240],
        [2, 3, 9240],
      ],
      [[1, 3, 9240]],
    ],
  },
  { why: 'who weighs nothing gets nothing', weights: [0, 1], shares: [[], wholeShare] },
])('$why', ({ weights, shares }) => {
  expect(dealShares(weights)).toEqual(shares)
})

test.each([[[]], [[0, 0]], [[1, -1]], [[Number.NaN]], [[Number.POSITIVE_INFINITY]]])(
  'weights %j are refused',
  weights => {
    expect(() => dealShares(weights)).toThrow(/expected weights of 0 or more/)
  },
)

test('any weights: every class has one owner, and nobody is a whole turn from what was promised', () => {
  const weight = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.double({ min: 0, max: 10, noNaN: true }))
  const weights = fc.array(weight, { minLength: 1, maxLength: 40 }).filter(list => list.some(w => w > 1e-6))
  fc.assert(
    fc.property(weights, list => {
      const sum = list.reduce((total, w) => total + w, 0)
      const shares = dealShares(list)
      expect(together(shares)).toEqual(everyClass)
      shares.forEach((share, i) => {
        // Taking turns keeps everyone within about one turn of the promise; irregular weights may be two off.
        expect(Math.abs(shareSize(share) - (classes * (list[i] ?? 0)) / sum)).toBeLessThan(2)
      })
    }),
    { numRuns: 40 },
  )
})

test('the classes of a lost worker are dealt to the rest, all of them and nothing else', () => {
  const [lost = [], ...rest] = dealShares([1, 1, 1, 1, 1])
  const gained = dealShare(lost, [1, 2, 1, 3])
  expect(together(gained)).toEqual(classesOf(lost))
  expect(together([...gained, ...rest])).toEqual(everyClass)
  expect(JSON.stringify(gained).length).toBeLessThan(200)
})

test('strides say exactly what they were made of, and regular sets in a few words', () => {
  const members = fc.uniqueArray(fc.integer({ min: 0, max: classes - 1 }), { maxLength: 300 })
  fc.assert(
    fc.property(members, list => {
      const sorted = list.toSorted((a, b) => a - b)
      expect(classesOf(strides(sorted))).toEqual(sorted)
    }),
  )
  for (const share of dealShares([3, 4, 6])) expect(share.length).toBeLessThanOrEqual(6)
})

test('a thousand equal workers get equal parts', () => {
  const sizes = dealShares(Array.from({ length: 1000 }, () => 1)).map(shareSize)
  expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([27, 28])
})

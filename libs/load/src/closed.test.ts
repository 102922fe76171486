import { describe, expect, test } from 'vitest'
import { type ClosedStep, type CrowdOptions, openCrowd } from './closed.ts'

/** Every change, as [instant, users from then on]. */
function changes(inject: ClosedStep[], options: CrowdOptions = {}): [number, number][] {
  const crowd = openCrowd(inject, options)
  const found: [number, number][] = []
  for (let t = crowd.nextChangeAfter(-1); t < Number.POSITIVE_INFINITY; t = crowd.nextChangeAfter(t)) {
    found.push([t, crowd.usersAt(t)])
  }
  return found
}
const constant = (users: number, duration: string): ClosedStep => ({ type: 'constantConcurrentUsers', users, duration })
const ramp = (from: number, to: number, duration: string): ClosedStep => ({
  type: 'rampConcurrentUsers',
  from,
  to,
  duration,
})

describe('how many users are wanted', () => {
  test.each<{ why: string; inject: ClosedStep[]; options?: CrowdOptions; expected: [number, number][] }>([
    {
      why: 'a constant crowd comes at once and goes at once',
      inject: [constant(3, '2s')],
      expected: [
        [0, 3],
        [2000, 0],
      ],
    },
    {
      why: 'a rising line brings each user after one interval',
      inject: [ramp(0, 2, '2s'), constant(2, '1s')],
      expected: [
        [1000, 1],
        [2000, 2],
        [3000, 0],
      ],
    },
    {
      why: 'a falling line takes each user after one interval, the last at the end',
      inject: [ramp(2, 0, '2s')],
      expected: [
        [0, 2],
        [1000, 1],
        [2000, 0],
      ],
    },
    {
      why: 'stairs hold whole levels',
      inject: [{ type: 'incrementConcurrentUsers', from: 1, step: 2, times: 2, eachLevelLasting: '1s' }],
      expected: [
        [0, 1],
        [1000, 3],
        [2000, 0],
      ],
    },
    {
      why: 'stairs may be joined by ramps',
      inject: [
        {
          type: 'incrementConcurrentUsers',
          from: 1,
          step: 2,
          times: 2,
          eachLevelLasting: '1s',
          separatedByRampsLasting: '1s',
        },
      ],
      expected: [
        [0, 1],
        [1500, 2],
        [2000, 3],
        [3000, 0],
      ],
    },
    {
      why: 'half a user is not a user',
      inject: [{ type: 'incrementConcurrentUsers', from: 0.5, step: 0.5, times: 3, eachLevelLasting: '1s' }],
      expected: [
        [1000, 1],
        [3000, 0],
      ],
    },
    {
      why: 'a pause empties the house',
      inject: [constant(1, '1s'), { type: 'nothingFor', duration: '1s' }, constant(1, '1s')],
      expected: [
        [0, 1],
        [1000, 0],
        [2000, 1],
        [3000, 0],
      ],
    },
    {
      why: 'equal levels side by side are no change',
      inject: [constant(2, '1s'), constant(2, '1s')],
      expected: [
        [0, 2],
        [2000, 0],
      ],
    },
    {
      why: 'a step of no length is not there',
      inject: [constant(9, '0s'), constant(1, '1s')],
      expected: [
        [0, 1],
        [1000, 0],
      ],
    },
    {
      why: 'startAfter shifts all of it',
      inject: [constant(1, '1s')],
      options: { startAfter: 500 },
      expected: [
        [500, 1],
        [1500, 0],
      ],
    },
    {
      why: 'maxDuration cuts a ramp without bending it',
      inject: [ramp(0, 4, '4s')],
      options: { maxDuration: 2500 },
      expected: [
        [1000, 1],
        [2000, 2],
        [2500, 0],
      ],
    },
    {
      why: 'rampDown lets users leave one by one after the end',
      inject: [constant(2, '1s')],
      options: { rampDown: 1000 },
      expected: [
        [0, 2],
        [1500, 1],
        [2000, 0],
      ],
    },
    {
      why: 'rampDown begins where the plan was cut',
      inject: [constant(2, '9s')],
      options: { rampDown: 1000, maxDuration: 3000 },
      expected: [
        [0, 2],
        [3500, 1],
        [4000, 0],
      ],
    },
    {
      why: 'a crowd that has gone by itself needs no rampDown',
      inject: [ramp(1, 0, '1s')],
      options: { rampDown: 1000 },
      expected: [
        [0, 1],
        [1000, 0],
      ],
    },
  ])('$why', ({ inject, options, expected }) => {
    expect(changes(inject, options)).toEqual(expected)
  })

  test('ten million users over a day change at the right instants', () => {
    const crowd = openCrowd([ramp(0, 10_000_000, '24h')])
    const interval = 86_400_000 / 10_000_000
    expect(crowd.usersAt(interval * 1.5)).toBe(1)
    expect(crowd.usersAt(86_399_999.999)).toBe(9_999_999)
    const next = crowd.nextChangeAfter(43_200_000.001)
    expect(next).toBeCloseTo(43_200_000 + interval, 6)
    expect(crowd.usersAt(next)).toBe(5_000_001)
  })

  test('the end of the plan is told apart from the last user', () => {
    const crowd = openCrowd([constant(5, '10s')], { rampDown: 2000 })
    expect([crowd.endsAt, crowd.duration, crowd.peak]).toEqual([10_000, 12_000, 5])
  })
})

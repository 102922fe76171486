import type { StepSeries } from '@onrush/protocol/report'
import type { Point } from '@onrush/protocol/summary'
import { describe, expect, it } from 'vitest'
import { joinPoints, joinSteps } from './join-points.ts'

const point = (at: number, span: number, requests: number): Point => ({
  at,
  span,
  requests,
  failed: 0,
  rate: 0,
  bytesIn: 0,
  bytesOut: 0,
  started: 0,
  finished: 0,
  dropped: 0,
  late: 0,
  active: 0,
})

describe('points', () => {
  const old = [point(0, 1000, 1), point(1000, 1000, 2), point(2000, 400, 3)]

  it.each<[string, Point[], [number, number][]]>([
    [
      'nothing new',
      [],
      [
        [0, 1],
        [1000, 2],
        [2000, 3],
      ],
    ],
    [
      'the next second',
      [point(3000, 1000, 4)],
      [
        [0, 1],
        [1000, 2],
        [2000, 3],
        [3000, 4],
      ],
    ],
    [
      'the last second, whole by now',
      [point(2000, 1000, 9)],
      [
        [0, 1],
        [1000, 2],
        [2000, 9],
      ],
    ],
    [
      'neighbours joined',
      [point(0, 2000, 3), point(2000, 2000, 7)],
      [
        [0, 3],
        [2000, 7],
      ],
    ],
  ])('take %s', (_, news, expected) => {
    expect(joinPoints(old, news).map(({ at, requests }) => [at, requests])).toEqual(expected)
  })
})

describe('steps', () => {
  const steps = (step: string, at: number[], span: number, requests: number[]): StepSeries => ({
    scenario: 's',
    step,
    at,
    span,
    requests,
    failed: requests.map(() => 0),
    p95: requests.map(() => null),
  })

  it('grow, change their last point, and appear', () => {
    const joined = joinSteps(
      [steps('a', [0, 1000], 1000, [1, 2])],
      [steps('a', [1000, 2000], 1000, [5, 6]), steps('b', [2000], 1000, [7])],
    )
    expect(joined).toEqual([steps('a', [0, 1000, 2000], 1000, [1, 5, 6]), steps('b', [2000], 1000, [7])])
  })

  it('are replaced where neighbours were joined', () => {
    const joined = joinSteps([steps('a', [0, 1000, 2000], 1000, [1, 2, 3])], [steps('a', [0, 2000], 2000, [3, 3])])
    expect(joined).toEqual([steps('a', [0, 2000], 2000, [3, 3])])
  })
})

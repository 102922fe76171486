import { Totals } from '@onrush/metrics/totals'
import type { Frame } from '@onrush/protocol/frame'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FrameKeeper, type FrameStore } from './frame-keeper.ts'

const population = { population: 'p', finished: 0, interrupted: 0, dropped: 0, late: 0, cancelled: 0 }
/** A second in which exactly one session started, so that lost and doubled seconds show in the sum. */
const second = (n: number): Frame => ({
  v: 1,
  run: 'a',
  covers: [['w1', [[n, n]]]],
  from: (n - 1) * 1000,
  to: n * 1000,
  counts: {
    steps: [],
    groups: [],
    populations: [{ ...population, started: 1 }],
    generator: {},
    metrics: [],
    samples: [],
  },
})

function started(frames: readonly Frame[]): number {
  const totals = new Totals()
  for (const frame of frames) expect(totals.add(frame)).not.toBe('overlap')
  return totals.isEmpty ? 0 : (totals.toFrame().counts.populations[0]?.started ?? 0)
}

/** A store that fails when told to: before it takes a frame, or after, so that only its answer is lost. */
function flaky(fates: readonly ('ok' | 'lost' | 'answer lost')[]): FrameStore & { frames: Frame[] } {
  let call = 0
  const store = {
    frames: [] as Frame[],
    async act(take: () => void) {
      const fate = fates[call++] ?? 'ok'
      if (fate === 'lost') throw new Error('away')
      take()
      if (fate === 'answer lost') throw new Error('away')
      return true
    },
    append: (frame: Frame) => store.act(() => store.frames.push(frame)),
    replace: (count: number, frame: Frame) => store.act(() => store.frames.splice(0, count, frame)),
  }
  return store
}

it('loses no second and counts none twice, whatever the store does in between', async () => {
  const fates = fc.array(fc.constantFrom('ok', 'ok', 'lost', 'answer lost'), { maxLength: 150 })
  const run = async (seconds: number, fate: ('ok' | 'lost' | 'answer lost')[]) => {
    const store = flaky(fate)
    const keeper = new FrameKeeper(store, () => {})
    for (let n = 1; n <= seconds; n++) {
      keeper.keep(second(n))
      if (n % 3 === 0) await keeper.flush()
    }
    while (keeper.behind > 0) await keeper.flush()
    expect(started(store.frames)).toBe(seconds)
    return store.frames.length
  }
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 200 }), fates, async (seconds, fate) => {
      await run(seconds, fate)
    }),
  )
  expect(await run(3_600, [])).toBeLessThan(40)
})

it('tells once that the shard is sealed, and keeps nothing after it', async () => {
  let told = 0
  const keeper = new FrameKeeper({ append: async () => false, replace: async () => false }, () => told++)
  keeper.keep(second(1))
  await keeper.flush()
  keeper.keep(second(2))
  await keeper.flush()
  expect([told, keeper.behind]).toEqual([1, 0])
})

import { allocateMemory } from '@onrush/metrics/memory'
import { Recorder } from '@onrush/metrics/recorder'
import { expect, test } from 'vitest'
import { StuckThreads } from './stuck-threads.ts'

test('a thread that shows no sign of life for so long is named once, and again when it goes on', () => {
  const memories = [allocateMemory(), allocateMemory(), allocateMemory()]
  const [lively, stuck] = memories.map(memory => new Recorder(memory))
  // The third one has ended: it needs no pulse.
  const watch = new StuckThreads(
    memories.map((memory, index) => ({ index, memory, isOver: index === 2 })),
    3000,
  )
  const said: string[] = []
  for (let second = 1; second <= 12; second++) {
    lively?.generator.utilisation(0.5)
    if (second < 4 || second >= 10) stuck?.generator.utilisation(0.5)
    said.push(...watch.look(second * 1000))
  }
  expect(said).toEqual([
    expect.stringMatching(/^thread 1 stands still since about 3 s: .* endless loop/),
    'thread 1 goes on after it stood still for 6 s',
  ])
  expect(watch.notes).toEqual(said)
})

test('a process that was stopped for a while finds nobody stuck', () => {
  const memory = allocateMemory()
  const { generator } = new Recorder(memory)
  const watch = new StuckThreads([{ index: 0, memory, isOver: false }], 10_000)
  generator.utilisation(0)
  expect(watch.look(1000)).toEqual([])
  expect(watch.look(60_000)).toEqual([])
  generator.utilisation(0)
  expect(watch.look(61_000)).toEqual([])
})

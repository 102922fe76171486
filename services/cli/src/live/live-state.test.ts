import { allocateMemory } from '@onrush/metrics/memory'
import { Recorder } from '@onrush/metrics/recorder'
import { ShardFrames } from '@onrush/metrics/shard-frames'
import type { Profile } from '@onrush/protocol/injection'
import { RunAccount } from '@onrush/report/run-account'
import { expect, it } from 'vitest'
import { LiveRun } from './live-state.ts'

function follow(inject: Profile) {
  const runId = 'run-20260102030405-abcdef'
  const machine = { hostname: 'h', platform: 'linux x64', cpu: 'c', cores: 2, memory: 1, node: '24', onrush: '0' }
  const account = new RunAccount({
    type: 'start',
    v: 1,
    runId,
    name: 'run',
    kind: 'simulation',
    startedAt: '2026-01-02T03:04:05Z',
    simulation: { hash: 'h' },
    environment: { values: {} },
    seed: 1,
    populations: [{ name: 'a', scenarios: ['a'], inject }],
    machine,
    workers: [{ id: 'local', threads: 1, share: 1 }],
    warnings: [],
  })
  const memory = allocateMemory()
  const recorder = new Recorder(memory)
  const frames = new ShardFrames({ run: runId, shard: 'local', memories: [memory] })
  const live = new LiveRun('run')
  live.begin(account)
  /** A second in which so many sessions of one request each came and went. */
  const second = (to: number, sessions: number, ms: number): void => {
    for (let i = 0; i < sessions; i++) {
      recorder.population('a').started()
      recorder.step({ scenario: 'a', step: 'x' }).record(i > 0, 200, ms * 1000, ms * 1000, 1, 1)
      if (i > 0) recorder.population('a').finished()
    }
    const frame = frames.take(to)
    account.add(frame)
    live.frame(frame)
  }
  return { live, second }
}

it('counts the whole run, and shows the pace of its last five seconds', () => {
  const { live, second } = follow([{ type: 'constantUsersPerSec', rate: 10, duration: '20s' }])
  expect(live.state(100)).toMatchObject({ figures: undefined, rows: [], durationMs: 20_000 })
  for (let to = 1; to <= 5; to++) second(to * 1000, 100, 500)
  for (let to = 6; to <= 10; to++) second(to * 1000, 10, 20)
  const { figures, rows, progress } = live.state(10_000)
  expect(progress).toBe(0.5)
  expect(figures).toMatchObject({ requests: 550, failed: 10, active: 10, perSecond: 10 })
  expect(figures?.due).toBeCloseTo(20, 0)
  expect(rows).toEqual([expect.objectContaining({ step: 'x', count: 550, perSecond: 10 })])
})

it('progresses by sessions where they decide the end', () => {
  const { live, second } = follow([{ type: 'iterations', iterations: 40, users: 2 }])
  second(1000, 11, 20)
  expect(live.state(60_000)).toMatchObject({ progress: 0.25, durationMs: null })
})

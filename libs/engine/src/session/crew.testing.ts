import { createEnvironment } from '@onrush/context/environment'
import { compileImports } from '@onrush/context/imports'
import { allocateMemory } from '@onrush/metrics/memory'
import { Recorder } from '@onrush/metrics/recorder'
import { ShardFrames } from '@onrush/metrics/shard-frames'
import type { FailureSample } from '@onrush/protocol/frame'
import type { Workshop } from '../steps/compile-scope.ts'
import type { RunStep } from '../steps/run-step.ts'
import { FailureSamples } from './failure-samples.ts'
import { Mask } from './mask.ts'
import { Population, type PopulationSettings } from './population.ts'
import { RunClock } from './run-clock.ts'

/** A real population whose only step is the test's own. */
export function crewOf(steps: RunStep, more: Partial<PopulationSettings> = {}) {
  const memory = allocateMemory({ steps: 10, groups: 10, populations: 10, metrics: 10, tagged: 10 })
  const samples: FailureSample[] = []
  const clock = new RunClock()
  clock.begin(performance.timeOrigin + performance.now())
  const workshop: Workshop = {
    recorder: new Recorder(memory),
    protocols: {},
    samples: new FailureSamples(sample => samples.push(sample)),
    clock,
    mask: new Mask([]),
    slots: undefined,
    faults: [],
  }
  const defects: unknown[] = []
  const population = new Population(
    {
      name: 'crew',
      scenarios: [{ name: 'a', imports: undefined, rows: undefined, steps }],
      pick: undefined,
      loop: undefined,
      pace: 0,
      follows: false,
      seed: 1,
      session: {
        environment: createEnvironment({}, [], []),
        variables: compileImports({}, '', []),
        renderResponses: false,
      },
      globals: { runId: 'r', worker: 'w' },
      endSession: () => undefined,
      onIdle: () => undefined,
      onDefect: error => defects.push(error),
      ...more,
    },
    workshop,
  )
  const frames = new ShardFrames({ run: 'r', shard: 'w', memories: [memory] })
  const totals = { started: 0, finished: 0, interrupted: 0, dropped: 0, late: 0, cancelled: 0 }
  return {
    population,
    workshop,
    clock,
    samples,
    defects,
    /** The books so far. */
    books() {
      const [counted] = frames.take(0).counts.populations
      for (const key of ['started', 'finished', 'interrupted', 'dropped', 'late', 'cancelled'] as const) {
        totals[key] += counted?.[key] ?? 0
      }
      return { ...totals }
    },
  }
}

/** A step that notes who came by, and lets them wait until they are let go. */
export function gate() {
  const arrivals: number[] = []
  const waiting: (() => void)[] = []
  const step: RunStep = session => {
    arrivals.push(session.number)
    session.waits++
    return new Promise<void>(resolve => {
      waiting.push(resolve)
      session.signal.addEventListener('abort', () => resolve())
    })
  }
  const open = async (): Promise<void> => {
    await settled()
    for (const resolve of waiting.splice(0)) resolve()
    await settled()
  }
  return { arrivals, step, open }
}

/** All that needs no more than turns of the event loop has happened. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise(resolve => setImmediate(resolve))
}

import { holdingOf } from '@onrush/load/holding'
import { OwnedCursor, type Slice as SlicePlace } from '@onrush/load/owned-cursor'
import type { Pacer } from '@onrush/load/pacer'
import type { Share } from '@onrush/load/share'
import { openThrottle, SlotTaker } from '@onrush/load/throttle'
import { Recorder } from '@onrush/metrics/recorder'
import { faultsInWords } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import type { FailureSample } from '@onrush/protocol/frame'
import type { ShardPlan } from '@onrush/protocol/plan'
import type { Fault } from '@onrush/protocol/problem'
import type { Simulation } from '@onrush/protocol/simulation'
import { holdingFrom } from '../dispatch/holding-from.ts'
import type { IndexFile } from '../feeder/scenario-rows.ts'
import type { TargetGuard } from '../http/target-guard.ts'
import { loadSimulation } from '../load-simulation.ts'
import { compilePopulations } from '../session/compile-populations.ts'
import { sessionSettings } from '../session/environment.ts'
import { FailureSamples } from '../session/failure-samples.ts'
import { Mask } from '../session/mask.ts'
import type { Population } from '../session/population.ts'
import { RunClock } from '../session/run-clock.ts'
import type { Trace } from '../session/trace.ts'
import type { Workshop } from '../steps/compile-scope.ts'
import { openRows } from './open-rows.ts'
import { openProtocols } from './protocols.ts'

export interface Prepared {
  readonly simulation: Simulation
  readonly workshop: Workshop
  readonly populations: readonly Population[]
  readonly reassignSlots: (share: Share, at: number) => void
  close(): Promise<void>
}

export interface PrepareHooks {
  readonly onSample: (sample: FailureSample) => void
  readonly onIdle: () => void
  /** Finds where the rows of a feed's file lie. */
  readonly indexFile: IndexFile
  /** Where this thread may send to; everywhere where it is not set. */
  readonly guard?: TargetGuard | undefined
  readonly tracer?: (() => Trace | undefined) | undefined
}

/** Loads and compiles a plan for one thread. Everything that is wrong with it is said at once. */
export async function prepare(
  plan: ShardPlan,
  place: SlicePlace,
  memory: SharedArrayBuffer,
  hooks: PrepareHooks,
): Promise<Prepared> {
  const simulation = await loadSimulation(plan.simulation)
  const faults: Fault[] = []
  const settings = sessionSettings(simulation, plan, faults)
  const mask = new Mask(settings.environment.secretTexts)
  const protocols = await openProtocols(simulation, plan, settings, hooks.guard, faults)
  const rows = await openRows(simulation, plan, hooks.indexFile, faults)
  const throttle = plan.throttle === undefined ? undefined : ceiling(openThrottle(plan.throttle), plan.share, place)
  const workshop: Workshop = {
    recorder: new Recorder(memory),
    protocols: protocols.byType,
    samples: new FailureSamples(hooks.onSample),
    clock: new RunClock(),
    mask,
    slots: throttle?.slots,
    faults,
    tracer: hooks.tracer,
  }
  const populations = compilePopulations(simulation, plan, {
    workshop,
    settings,
    rows,
    endSession: protocols.endSession,
    onIdle: hooks.onIdle,
    onDefect: crash,
  })
  const close = async (): Promise<void> => {
    await Promise.all([protocols.close(), ...[...rows.values()].map(each => each.close())])
  }
  if (faults.length === 0) await protocols.prepare(faults)
  if (faults.length > 0) {
    await close()
    throw new OnrushError('invalid', faultsInWords('the simulation', faults), { errors: faults })
  }
  return { simulation, workshop, populations, reassignSlots: throttle?.reassign ?? (() => undefined), close }
}

/** An error that no step owns is a defect of the engine: better a named crash than counts that are quietly wrong. */
function crash(error: unknown): void {
  setImmediate(() => {
    throw error
  })
}

function ceiling(pacer: Pacer, share: Share, place: SlicePlace) {
  let holding = holdingOf(share)
  const cursor = new OwnedCursor(holding, place, 1)
  const reassign = (next: Share, at: number): void => {
    holding = holdingFrom(holding, next, pacer.plannedBy(at))
    cursor.revise(holding)
  }
  return { slots: new SlotTaker(pacer, cursor), reassign }
}

import type { SlotTaker } from '@onrush/load/throttle'
import type { Recorder } from '@onrush/metrics/recorder'
import type { Fault } from '@onrush/protocol/problem'
import type { RequestStep } from '@onrush/protocol/step'
import type { Protocol } from '../protocol.ts'
import type { FailureSamples } from '../session/failure-samples.ts'
import type { Mask } from '../session/mask.ts'
import type { RunClock } from '../session/run-clock.ts'
import type { Trace } from '../session/trace.ts'

/** The same for all steps of a thread. */
export interface Workshop {
  readonly recorder: Recorder
  readonly protocols: { readonly [T in RequestStep['type']]?: Protocol | undefined }
  readonly samples: FailureSamples
  readonly clock: RunClock
  readonly mask: Mask
  /** The ceiling on requests per second, if there is one. */
  readonly slots: SlotTaker | undefined
  readonly faults: Fault[]
  /** In a verbose run: the trace of a session that begins now, if there is room for one more. */
  readonly tracer?: (() => Trace | undefined) | undefined
}

/** Where in the simulation a step stands. */
export interface CompileScope {
  readonly workshop: Workshop
  readonly scenario: string
  readonly group: string | undefined
  readonly onFailure: 'stop' | 'continue'
  /** Pauses are multiplied by this. */
  readonly thinkTimes: number
}

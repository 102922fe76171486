import type { HeartNeeds } from '@onrush/fleet/heart'
import type { Log } from '@onrush/web/log'
import type { EngineSlot } from './engine-slot.ts'

/** Two beats, because a run's end and ours may cross. */
const beats = 2

/** What a worker does about what its heartbeat hears, where the control channel may have failed to bring it. */
export function followPulse(slot: EngineSlot, log: Log): Required<Pick<HeartNeeds, 'heard' | 'buried'>> {
  let unheld = 0
  return {
    heard({ run, stop }) {
      const { state, runId } = slot.view
      // A run holds its worker until it is over.
      unheld = state !== 'idle' && runId !== undefined && run !== runId ? unheld + 1 : 0
      if (unheld >= beats) {
        log('error', 'the run that this worker executes is known to nobody any more: it is aborted')
        slot.abort('the run is known to nobody any more: Redis has lost it, or it was given up')
      } else if (stop !== undefined && run === runId && state !== 'draining') slot.stop(stop, run)
    },
    async buried() {
      log('error', 'this worker was taken for dead: what it runs is aborted')
      slot.abort('this worker was taken for dead: no sign of life for too long')
      await slot.idle
    },
  }
}

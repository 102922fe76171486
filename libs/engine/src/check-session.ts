import { wholeShare } from '@onrush/load/share'
import { allocateMemory } from '@onrush/metrics/memory'
import { fromProblem, OnrushError } from '@onrush/protocol/error'
import type { Json } from '@onrush/protocol/json'
import type { ShardPlan } from '@onrush/protocol/plan'
import type { TraceEvent } from './session/trace.ts'
import { ThreadPool } from './shard/thread-pool.ts'
import { within } from './shard/within.ts'
import type { FromThread } from './thread/control.ts'

export interface CheckOptions {
  /** What `setup` returned. */
  setup?: Json | undefined
  /** Default: a minute. */
  limitMs?: number | undefined
  /** Ends it early. */
  signal?: AbortSignal | undefined
}

/**
 * Runs one session of each population and tells all that happens: every request, response, rendered value, export and
 * assertion, with secrets masked. Pauses are left out, and so is the load. Answers whether all went well.
 */
export async function checkSession(
  plan: ShardPlan,
  onEvent: (event: TraceEvent) => void,
  options: CheckOptions = {},
): Promise<boolean> {
  const pool = new ThreadPool(1, plan.limits.threadMemoryMb)
  const populations = plan.populations.map(({ loop: _loop, pace: _pace, ...rest }) => ({ ...rest, thinkTimes: 0 }))
  const { throttle: _throttle, ...rest } = plan
  const alone: ShardPlan = { ...rest, populations, share: [...wholeShare].map(([a, b, c]) => [a, b, c]), threads: 1 }
  try {
    const task = pool.start({ kind: 'check', plan: alone, setup: options.setup ?? null, memory: allocateMemory() })
    task.port.on('message', (message: FromThread) => {
      if (message.type === 'trace') onEvent(message.event)
    })
    const abort = (): void => task.port.postMessage({ type: 'abort' })
    options.signal?.addEventListener('abort', abort, { once: true })
    const ended = await within(options.limitMs ?? 60_000, 'the check', task.result)
    options.signal?.removeEventListener('abort', abort)
    // The result can overtake events on the other port: they are all in the queue by now, one turn later they are read.
    await new Promise(resolve => setImmediate(resolve))
    task.port.close()
    if (!ended.ok) throw fromProblem(ended.problem)
    return ended.value === true
  } catch (error) {
    if (error instanceof OnrushError) throw error
    const said = error instanceof Error ? error.message : String(error)
    throw new OnrushError('script_error', `the thread of the check died: ${said}`, { cause: error })
  } finally {
    await pool.end()
  }
}

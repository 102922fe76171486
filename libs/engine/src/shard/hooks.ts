import { allocateMemory } from '@onrush/metrics/memory'
import { fromProblem, OnrushError } from '@onrush/protocol/error'
import type { Json } from '@onrush/protocol/json'
import type { ShardPlan } from '@onrush/protocol/plan'
import type { TargetRules } from '@onrush/protocol/targets'
import { type TaskOf, ThreadPool } from './thread-pool.ts'
import { within } from './within.ts'

/** A setup that creates data may take its time; one that hangs must not hold a fleet. */
const defaultLimitMs = 300_000

export interface HookOptions {
  readonly limitMs?: number
  /** Where this host may send to; everywhere where it is not set. */
  readonly targets?: TargetRules | undefined
}

/** Runs the simulation's `setup` once and answers what it returned; `null` where there is none. */
export function runSetup(plan: ShardPlan, options: HookOptions = {}): Promise<Json> {
  return runAlone({ kind: 'setup', plan, memory: allocateMemory() }, options)
}

/** Runs the simulation's `teardown` once, with what `setup` returned. */
export async function runTeardown(plan: ShardPlan, setup: Json, options: HookOptions = {}): Promise<void> {
  await runAlone({ kind: 'teardown', plan, setup, memory: allocateMemory() }, options)
}

async function runAlone(task: TaskOf, { limitMs = defaultLimitMs, targets }: HookOptions): Promise<Json> {
  const pool = new ThreadPool(1, task.plan.limits.threadMemoryMb, targets)
  try {
    const { result, port } = pool.start(task)
    const ended = await within(limitMs, task.kind, result).finally(() => port.close())
    if (!ended.ok) throw fromProblem(ended.problem)
    return ended.value
  } catch (error) {
    if (error instanceof OnrushError) throw error
    const said = error instanceof Error ? error.message : String(error)
    throw new OnrushError('script_error', `the thread of ${task.kind} died: ${said}`, { cause: error })
  } finally {
    await pool.end()
  }
}

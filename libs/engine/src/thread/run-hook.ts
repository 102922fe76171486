import type { Globals } from '@onrush/context/context'
import { Random } from '@onrush/context/random'
import { OnrushError } from '@onrush/protocol/error'
import { Json } from '@onrush/protocol/json'
import { errorWords } from '../error-words.ts'
import { askForIndex } from '../feeder/feed-indexes.ts'
import type { TargetGuard } from '../http/target-guard.ts'
import { sessionSettings } from '../session/environment.ts'
import { seedOf } from '../session/seed.ts'
import { Session } from '../session/session.ts'
import { CodeSteps } from '../steps/code-session.ts'
import { requestFromCode } from '../steps/compile-steps.ts'
import { prepare } from './prepare.ts'
import type { ThreadTask } from './task.ts'

type HookTask = Extract<ThreadTask, { kind: 'setup' | 'teardown' }>

/** Runs `setup` or `teardown` once, with a session of its own. What they count goes nowhere: it is no load. */
export async function runHook(task: HookTask, guard: TargetGuard | undefined): Promise<Json> {
  const { plan, kind } = task
  const prepared = await prepare(plan, { thread: 0, threads: 1 }, task.memory, {
    onSample: () => undefined,
    onIdle: () => undefined,
    indexFile: askForIndex(task.feeds),
    guard,
  })
  const hook = prepared.simulation[kind]
  try {
    if (hook === undefined) return null
    const { workshop } = prepared
    workshop.clock.begin(performance.timeOrigin + performance.now())
    const session = new Session(workshop.recorder.generator)
    session.reset(0)
    session.ended(performance.now())
    const ids = { runId: plan.runId, worker: plan.worker, user: 0, iteration: 0, arrival: 0 }
    const globals: Globals & { setup: Json } = { ...ids, setup: kind === 'teardown' ? task.setup : null }
    session.context.beginSession(
      sessionSettings(prepared.simulation, plan, []),
      globals,
      new Random(seedOf(plan.seed, kind), 0),
    )
    session.context.beginScenario()
    const scope = { workshop, scenario: kind, group: undefined, onFailure: 'continue', thinkTimes: 1 } as const
    const result = await hook(new CodeSteps(session, scope, kind, requestFromCode(scope)))
    return kind === 'setup' ? asJson(result) : null
  } catch (error) {
    if (error instanceof OnrushError) throw error
    throw new OnrushError('script_error', `${kind} failed: ${errorWords(error)}`, { cause: error })
  } finally {
    await prepared.close()
  }
}

function asJson(result: unknown): Json {
  const checked = Json.safeParse(result ?? null)
  if (checked.success) return checked.data
  const got = typeof result === 'object' ? 'an object that holds something else' : typeof result
  throw new OnrushError(
    'script_error',
    `expected setup to return JSON (it travels to every thread and worker), got ${got}`,
  )
}

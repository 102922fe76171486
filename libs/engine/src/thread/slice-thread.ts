import { OnrushError, toProblem } from '@onrush/protocol/error'
import { closedMessage, TargetJudge } from '@onrush/protocol/targets'
import { sealDatagrams } from '../http/seal-datagrams.ts'
import { sealSockets } from '../http/seal-sockets.ts'
import type { TargetGuard } from '../http/target-guard.ts'
import { runCheck } from './run-check.ts'
import { runHook } from './run-hook.ts'
import { runSlice } from './run-slice.ts'
import type { TaskResult, ThreadTask } from './task.ts'

/** The entry of every engine thread. */
export default async function runTask(task: ThreadTask): Promise<TaskResult> {
  try {
    return await done(task, guardOf(task))
  } catch (error) {
    if (error instanceof OnrushError) return { ok: false, problem: toProblem(error) }
    throw error
  } finally {
    task.port.close()
    task.feeds.close()
  }
}

/** Before anything of the script is loaded: its own code opens no other connections than its steps may. */
function guardOf({ targets }: ThreadTask): TargetGuard | undefined {
  if (targets === undefined) return undefined
  // One error at once says more than each request's.
  if (targets.kind === 'closed') throw new OnrushError('target_refused', closedMessage)
  const guard = new TargetJudge(targets)
  sealDatagrams(guard)
  return sealSockets(guard)
}

async function done(task: ThreadTask, guard: TargetGuard | undefined): Promise<TaskResult> {
  switch (task.kind) {
    case 'slice':
      return { ok: true, notes: await runSlice(task, guard), value: null }
    case 'check':
      return { ok: true, notes: [], value: await runCheck(task, guard) }
    case 'setup':
    case 'teardown':
      return { ok: true, notes: [], value: await runHook(task, guard) }
    default:
      return task satisfies never
  }
}

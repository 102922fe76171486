import { join, relative } from 'node:path'
import { type RunHooks, type RunningLocal, type RunResult, runLocal } from '@onrush/engine/run'
import type { Report } from '@onrush/protocol/report'
import { ReportFolder } from '@onrush/report/report-folder'
import { RunAccount } from '@onrush/report/run-account'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { printError } from '../print-error.ts'
import { endOf, endOfFailure } from './end.ts'
import { exitCodeOfRun } from './exit-code.ts'
import { headerOf } from './header.ts'
import { describeMachine } from './machine.ts'
import type { Prepared } from './prepared.ts'
import { makeRunId } from './run-id.ts'
import type { View } from './view.ts'

export interface Ways {
  readonly view: View
  /** Where the report goes, for a run's id; nothing writes none. */
  readonly folder: (runId: string) => string | undefined
  readonly print: (report: Report, page: string | undefined) => void
}

/** Runs what was prepared, shows it, writes its report and answers the exit code. */
export async function carryOut(prepared: Prepared, ways: Ways, io: Io): Promise<number> {
  const runId = makeRunId(prepared.name, new Date(), Math.random)
  const wanted = ways.folder(runId)
  const folder = wanted === undefined ? undefined : await ReportFolder.open(wanted)
  const { view } = ways
  const warnings: string[] = []
  let account: RunAccount | undefined
  let running: RunningLocal | undefined

  const hooks: RunHooks = {
    onPhase(phase) {
      view.phase(phase)
      if (phase !== 'running' || running === undefined) return
      const machine = describeMachine(io.nodeVersion)
      const header = headerOf(prepared, { plan: running.plan, startedAt: new Date(), machine, warnings })
      account = new RunAccount(header)
      folder?.log(header)
      view.begin(account)
    },
    onWarning(warning) {
      if (account === undefined) warnings.push(warning)
      view.note(`warning: ${warning}`)
    },
    onFrame(frame) {
      account?.add(frame)
      folder?.log(frame)
      view.frame(frame)
    },
  }

  let result: RunResult | undefined
  let error: unknown
  let signals = 0
  let release = (): void => undefined
  try {
    const run = runLocal(prepared.loaded, { ...prepared.options, runId }, hooks)
    running = run
    release = io.onSignal(signal => {
      signals++
      if (signals === 1) {
        view.note(`${signal}: no new sessions start, those that run may finish; once more ends at once`)
        run.stop(`${signal} was received`)
      } else {
        view.note(`${signal} again: everything ends now`)
        // Whatever does not even end now can be killed by a third.
        release()
        run.abort(`${signal} was received twice`)
      }
    })
    result = await run.result
  } catch (thrown) {
    error = thrown
  } finally {
    release()
    view.close()
  }

  if (account === undefined || running === undefined) {
    await folder?.discard()
    if (signals === 0) throw error
    io.err.write('stopped before the load began; there is nothing to report\n')
    return exitCodes.stopped
  }
  const end =
    result === undefined
      ? endOfFailure(running.plan, account.totals.elapsedMs, error)
      : endOf(result, account.header.warnings)
  const report = account.toReport(end)
  folder?.log(end)
  let page: string | undefined
  try {
    await folder?.finish(report)
    page = folder === undefined ? undefined : join(relative(io.cwd, folder.path) || '.', 'index.html')
  } catch (thrown) {
    // The numbers are still worth printing when the disk is full.
    error ??= thrown
  }
  ways.print(report, page)
  if (error !== undefined) printError(error, io.err)
  return exitCodeOfRun({ interrupted: signals > 0, error, report })
}

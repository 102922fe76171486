import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Redis } from '@onrush/fleet/redis'
import { changeRun, createRun, hasEnded, type RunBase, readRun } from '@onrush/fleet/run-store'
import { linksOf } from '@onrush/protocol/job'
import { unlessMissing } from '@onrush/protocol/missing-file'
import type { Report } from '@onrush/protocol/report'
import type { RunEnd, RunHeader } from '@onrush/protocol/run-log'
import { planned } from '@onrush/report/planned'
import { ReportFolder } from '@onrush/report/report-folder'
import { RunAccount } from '@onrush/report/run-account'
import type { Log } from '@onrush/web/log'
import type { LiveLog } from '../live/live-log.ts'
import { inTurns } from './in-turns.ts'
import type { Journal } from './journal.ts'

export interface ForgottenNeeds {
  readonly redis: Redis
  readonly journal: Journal
  readonly liveLog: LiveLog
  readonly reportsFolder: string
  readonly log: Log
}

/** What is younger may be on its way: it is written down here before Redis has it. */
const youngMs = 10_000
const isYoung = (at: string): boolean => Date.now() - Date.parse(at) < youngMs

const lost = 'interrupted: Redis lost the run and everything it kept of it; the report holds what was seen until then'

/**
 * A Redis that restarts without what it held has forgotten the runs that went on. We have not: what this reporter started
 * or followed is marked as failed, and what it saw becomes the report.
 */
export async function sweepForgotten(needs: ForgottenNeeds): Promise<void> {
  await sweepFollowed(needs)
  const { redis, journal, log } = needs
  for (const base of await journal.list()) {
    const record = await readRun(redis, base.runId)
    if (record === undefined && isYoung(base.createdAt)) continue
    if (record === undefined) {
      log('error', 'Redis has lost a run', { runId: base.runId })
      await mark(redis, base, undefined)
    } else if (!hasEnded(record.status)) continue
    await journal.remove(base.runId)
  }
}

/** Whoever started a run knows that it was; whoever followed it, which may be another reporter, what it did. */
async function sweepFollowed(needs: ForgottenNeeds): Promise<void> {
  const { redis, liveLog, log } = needs
  for (const runId of await liveLog.runs()) {
    const record = await readRun(redis, runId)
    if (record !== undefined && !hasEnded(record.status)) continue
    if (record === undefined || (record.error === lost && !(await hasReport(needs, runId)))) {
      const header = (await liveLog.read(runId))?.header
      if (record === undefined && header !== undefined && isYoung(header.startedAt)) continue
      if (header !== undefined) {
        log('error', 'Redis has lost a run that was followed here', { runId })
        await mark(redis, baseOf(header), await reportOf(needs, runId))
      }
    }
    await liveLog.remove(runId)
  }
}

async function mark(redis: Redis, base: RunBase, report: Report | undefined): Promise<void> {
  await createRun(redis, base)
  const { verdict, totals } = report ?? {}
  await changeRun(redis, base.runId, {
    status: 'failed',
    verdict,
    error: lost,
    endedAt: new Date().toISOString(),
    totals,
  })
}

function baseOf({ runId, name, kind, startedAt, populations, seed, ext }: RunHeader): RunBase {
  const { durationMs, arrivals } = planned(populations, seed)
  return { runId, name, kind, createdAt: startedAt, plan: { durationMs, arrivals }, links: linksOf(runId), ext }
}

const hasReport = async ({ reportsFolder }: ForgottenNeeds, runId: string): Promise<boolean> =>
  (await unlessMissing(stat(join(reportsFolder, runId)), undefined)) !== undefined

async function reportOf({ liveLog, reportsFolder }: ForgottenNeeds, runId: string): Promise<Report | undefined> {
  const seen = await liveLog.read(runId)
  if (seen === undefined) return undefined
  const { header, frames } = seen
  const account = new RunAccount(header)
  const folder = await ReportFolder.open(join(reportsFolder, runId))
  folder.log(header)
  await inTurns(frames, frame => {
    if (account.add(frame) === 'merged') folder.log(frame)
  })
  const end: RunEnd = {
    type: 'end',
    status: 'failed',
    error: lost,
    endedAt: new Date().toISOString(),
    elapsedMs: account.totals.isEmpty ? 0 : account.totals.elapsedMs,
    workers: header.workers.map(({ id }) => ({
      id,
      status: 'failed',
      error: 'what became of it was lost with Redis',
      books: [],
      imbalances: [],
      crashes: [],
      notes: [],
    })),
  }
  folder.log(end)
  const report = account.toReport(end)
  await folder.finish(report)
  return report
}

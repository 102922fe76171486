import type { Redis } from '@onrush/fleet/redis'
import { hasEnded, readRun } from '@onrush/fleet/run-store'
import { OnrushError } from '@onrush/protocol/error'
import { RunId } from '@onrush/protocol/node'
import type { ReportAnswer } from '@onrush/protocol/stored-report'
import { ofPage, type ReportStore, reportLinks, reportTypes } from '@onrush/report/report-store'
import { Hono } from 'hono'
import type { DashboardFiles } from '../dashboard-files.ts'
import type { NodeCalls } from '../fleet/node-calls.ts'
import { onlyHere, reportElsewhere } from '../reports/elsewhere.ts'
import { livePage } from '../reports/live-page.ts'

interface ReportNeeds {
  readonly reporter: string
  readonly redis: Redis
  readonly reports: ReportStore
  readonly calls: NodeCalls
  readonly dashboard: Pick<DashboardFiles, 'has'>
}

const wantsPage = (accept: string | undefined): boolean => /\btext\/html\b/.test(accept ?? '')

export function reportRoutes({ reporter, redis, reports, calls, dashboard }: ReportNeeds): Hono {
  const fileOf = async (runId: string, name: string, here: boolean): Promise<Response | undefined> => {
    if (!RunId.safeParse(runId).success || !Object.hasOwn(reportTypes, name)) return undefined
    const file = await reports.answer(runId, name)
    if (file !== undefined || here) return file
    const found = await reportElsewhere({ redis, calls, self: reporter }, runId, name)
    if (found === undefined) return undefined
    const policy = found.headers.get('content-security-policy') ?? undefined
    return new Response(found.body, {
      headers: {
        'content-type': reportTypes[name] ?? 'application/octet-stream',
        ...(name === 'index.html' ? ofPage(policy) : {}),
      },
    })
  }
  const isHere = (c: { req: { header(name: string): string | undefined } }) => c.req.header(onlyHere) !== undefined

  return new Hono()
    .get('/report/:runId', async c => {
      const runId = c.req.param('runId')
      const job = RunId.safeParse(runId).success ? await readRun(redis, runId) : undefined
      c.header('vary', 'accept')
      const page = wantsPage(c.req.header('accept'))
      const report = await fileOf(runId, page ? 'index.html' : 'report.json', isHere(c))
      if (job === undefined && report === undefined)
        throw new OnrushError('not_found', `there is no run "${runId.slice(0, 80)}"`)
      if (page && report !== undefined) return report
      if (page && job !== undefined) {
        if (hasEnded(job.status) || !dashboard.has('/index.html')) return c.html(livePage(job))
        // The same address is the report a moment later, so nobody may remember this; relative, because of base paths.
        c.header('cache-control', 'no-store')
        return c.redirect(`../#/runs/${encodeURIComponent(runId)}`)
      }
      await report?.body?.cancel()
      const answer: ReportAnswer = {
        runId,
        status: job?.status ?? 'finished',
        ...(job?.verdict === undefined ? {} : { verdict: job.verdict }),
        ...(report === undefined ? {} : { links: reportLinks(runId) }),
      }
      return c.json(answer)
    })
    .get('/report/:runId/:file', async c => {
      const { runId, file } = c.req.param()
      const found = await fileOf(runId, file, isHere(c))
      if (found !== undefined) return found
      const known = Object.keys(reportTypes).join(', ')
      throw new OnrushError(
        'not_found',
        Object.hasOwn(reportTypes, file)
          ? `there is no report of run "${runId.slice(0, 80)}"; one that goes on has none yet`
          : `a report has the files ${known}, and no "${file.slice(0, 80)}"`,
      )
    })
}

import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { isMissing } from '@onrush/protocol/missing-file'
import { RunId } from '@onrush/protocol/node'
import { Report } from '@onrush/protocol/report'
import type { StoredReport } from '@onrush/protocol/stored-report'
import { pagePolicy } from './page-policy.ts'

/** The files of a report by the names their links have, and what they are. */
export const reportTypes: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'report.json': 'application/json',
  'junit.xml': 'application/xml; charset=utf-8',
  'stats.csv': 'text/csv; charset=utf-8',
  'log.ndjson': 'application/x-ndjson',
}

export interface ReportFile {
  readonly size: number
  readonly type: string
  /** Of a page: what it may run. */
  readonly policy: string | undefined
  open(): Readable
}

/** The reports that lie on this node's disk. */
export class ReportStore {
  readonly #folder: string
  readonly #known = new Map<string, StoredReport>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The id and the name are checked against what there is; neither can name another file. */
  async file(runId: string, name: string): Promise<ReportFile | undefined> {
    const type = Object.hasOwn(reportTypes, name) ? reportTypes[name] : undefined
    if (type === undefined || !RunId.safeParse(runId).success) return undefined
    const path = join(this.#folder, runId, name)
    try {
      const { size } = await stat(path)
      const policy = name === 'index.html' ? await pagePolicy(path) : undefined
      return { size, type, policy, open: () => createReadStream(path) }
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  /** The same as it is sent to whoever asks for it. */
  async answer(runId: string, name: string): Promise<Response | undefined> {
    const file = await this.file(runId, name)
    if (file === undefined) return undefined
    return new Response(Readable.toWeb(file.open()) as ReadableStream, {
      headers: { 'content-type': file.type, 'content-length': String(file.size), ...ofPage(file.policy) },
    })
  }

  /** The latest first. A report is read once; it does not change. */
  async list(): Promise<StoredReport[]> {
    const reports: StoredReport[] = []
    for (const runId of await this.#runIds()) {
      const known = this.#known.get(runId) ?? (await this.#read(runId))
      if (known === undefined) continue
      this.#known.set(runId, known)
      reports.push(known)
    }
    return reports.sort((a, b) => (a.endedAt < b.endedAt ? 1 : -1))
  }

  async #runIds(): Promise<string[]> {
    try {
      const entries = await readdir(this.#folder, { withFileTypes: true })
      return entries.flatMap(entry => (entry.isDirectory() && RunId.safeParse(entry.name).success ? [entry.name] : []))
    } catch (error) {
      if (isMissing(error)) return []
      throw error
    }
  }

  async #read(runId: string): Promise<StoredReport | undefined> {
    try {
      const { run, status, verdict, endedAt, elapsedMs, totals, summary, series } = Report.parse(
        JSON.parse(await readFile(join(this.#folder, runId, 'report.json'), 'utf8')),
      )
      const { name, kind, startedAt } = run
      const p95 = summary.whole.duration?.p95
      return {
        runId,
        name,
        kind,
        status,
        verdict,
        startedAt,
        endedAt,
        elapsedMs,
        totals,
        ...(p95 === undefined ? {} : { p95 }),
        course: courseOf(series),
        links: reportLinks(runId),
      }
    } catch (error) {
      // Of a newer version, or removed while we looked: it is not listed rather than misread.
      if (error instanceof Error) return undefined
      throw error
    }
  }
}

const coursePoints = 40

/** The rate over the run as a list shows it, small. */
function courseOf(series: Report['series']): number[] {
  const width = Math.max(1, Math.ceil(series.length / coursePoints))
  return Array.from({ length: Math.ceil(series.length / width) }, (_, i) => {
    const points = series.slice(i * width, (i + 1) * width)
    const requests = points.reduce((sum, point) => sum + point.requests, 0)
    const ms = points.reduce((sum, point) => sum + point.span, 0)
    return ms === 0 ? 0 : Math.round((requests * 10_000) / ms) / 10
  })
}

export const ofPage = (policy: string | undefined): Record<string, string> =>
  policy === undefined ? {} : { 'content-security-policy': policy }

export const reportLinks = (runId: string): StoredReport['links'] => ({
  html: `/report/${runId}/index.html`,
  json: `/report/${runId}/report.json`,
  junit: `/report/${runId}/junit.xml`,
  csv: `/report/${runId}/stats.csv`,
  log: `/report/${runId}/log.ndjson`,
})

import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { OnrushError } from '@onrush/protocol/error'
import type { Report } from '@onrush/protocol/report'
import { buildReport } from '@onrush/report/build-report'
import { readReport } from '@onrush/report/read-report'
import { endOfCut, readRunLog } from '@onrush/report/read-run-log'
import { logName } from '@onrush/report/report-folder'

function found(named: string, cwd: string, inside: readonly string[]): string {
  const path = resolve(cwd, named)
  if (!existsSync(path)) throw new OnrushError('not_found', `there is no ${named}`)
  if (!statSync(path).isDirectory()) return path
  const file = inside.map(name => join(path, name)).find(existsSync)
  if (file !== undefined) return file
  throw new OnrushError('not_found', `expected ${inside.join(' or ')} in ${named}, found neither`)
}

/** Builds a report from a run log, also from one that breaks off. */
export async function reportOfLog(
  named: string,
  cwd: string,
): Promise<{ readonly file: string; readonly report: Report }> {
  const file = found(named, cwd, [logName])
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })
  const log = await readRunLog(lines, named)
  return { file, report: buildReport({ ...log, end: log.end ?? endOfCut(log) }) }
}

/** A report by its folder, its report.json or its run log. */
export async function openReport(named: string, cwd: string): Promise<Report> {
  const file = found(named, cwd, ['report.json', logName])
  if (file.endsWith('.ndjson')) return (await reportOfLog(file, cwd)).report
  return readReport(readFileSync(file, 'utf8'), named)
}

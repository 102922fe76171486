import { z } from 'zod'
import { RunId } from '../node.ts'
import { Report } from '../report.ts'
import { RunLogLine } from '../run-log.ts'
import type { Endpoint } from './endpoint.ts'

/** A file of a report, the same on a reporter and on the worker that ran it alone. */
export const reportFile = {
  role: 'viewer',
  params: { runId: RunId, file: z.enum(['index.html', 'report.json', 'junit.xml', 'stats.csv', 'log.ndjson']) },
  answers: { 200: { type: 'application/octet-stream', what: 'the file' } },
  files: { 'report.json': Report, 'log.ndjson': RunLogLine },
} as const satisfies Partial<Endpoint>

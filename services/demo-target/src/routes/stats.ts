import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Sequences } from '../sequences.ts'
import type { Stats } from '../stats/stats.ts'

/** Answers `/stats` and `/stats/reset`, outside of the counting, so that looking does not change what is seen. */
export function answerStats(
  stats: Stats,
  sequences: Sequences,
  req: IncomingMessage,
  res: ServerResponse,
  query: URLSearchParams,
): void {
  const resets = req.url?.startsWith('/stats/reset') === true
  if (req.method !== (resets ? 'POST' : 'GET')) {
    res.writeHead(405, { allow: resets ? 'POST' : 'GET' }).end()
    return
  }
  const body = Buffer.from(`${JSON.stringify(stats.snapshot({ rows: query.has('rows') }))}\n`)
  if (resets) {
    stats.reset()
    sequences.reset()
  }
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  res.end(body)
}

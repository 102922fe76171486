import type { IncomingMessage, ServerResponse } from 'node:http'
import { OnrushError, toProblem } from '@onrush/protocol/error'
import type { Entry } from './stats/entry.ts'

/** One request and the answer to it, counted. */
export class Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly query: URLSearchParams
  /** What stood at the place of the route's `:name`. */
  readonly param: string
  readonly entry: Entry

  constructor(req: IncomingMessage, res: ServerResponse, query: URLSearchParams, param: string, entry: Entry) {
    this.req = req
    this.res = res
    this.query = query
    this.param = param
    this.entry = entry
    // Node calls a response finished when the kernel has all of it, and never one that was cut off before.
    res.on('finish', () => entry.complete(res.statusCode))
    res.on('close', () => entry.abort())
  }

  reply(status: number, headers: readonly string[], body: Buffer): void {
    this.res.writeHead(status, [...headers, 'content-length', String(body.length)])
    this.res.end(body)
    if (this.req.method !== 'HEAD') this.entry.sent(body.length)
  }

  json(status: number, value: unknown, headers: readonly string[] = []): void {
    this.reply(status, ['content-type', 'application/json', ...headers], Buffer.from(`${JSON.stringify(value)}\n`))
  }

  text(status: number, text: string): void {
    this.reply(status, ['content-type', 'text/plain; charset=utf-8'], Buffer.from(text))
  }

  /** An answer that by its status has no body (204, 304). */
  empty(status: number): void {
    this.res.writeHead(status)
    this.res.end()
  }

  fail(error: unknown, headers: readonly string[] = []): void {
    const known = error instanceof OnrushError ? error : new OnrushError('internal', String(error), { cause: error })
    const problem = toProblem(known)
    this.reply(
      problem.status,
      ['content-type', 'application/problem+json', ...headers],
      Buffer.from(`${JSON.stringify(problem)}\n`),
    )
  }
}

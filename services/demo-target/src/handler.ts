import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { OnrushError } from '@onrush/protocol/error'
import { Exchange } from './exchange.ts'
import type { Handler, Route } from './route.ts'
import type { Router } from './router.ts'
import { answerStats } from './routes/stats.ts'
import type { Sequences } from './sequences.ts'
import { other } from './stats/period.ts'
import type { Connection, Stats } from './stats/stats.ts'

interface Parts {
  readonly router: Router
  readonly stats: Stats
  readonly sequences: Sequences
  readonly connectionOf: (socket: Socket) => Connection
}

/** Answers the requests that node's own parser has read. */
export function createHandler({ router, stats, sequences, connectionOf }: Parts) {
  return (req: IncomingMessage, res: ServerResponse): void => {
    const { path, query } = split(req.url ?? '/')
    if (path === '/stats' || path === '/stats/reset') {
      answerStats(stats, sequences, req, res, query)
      return
    }
    const match = router.match(path)
    const entry = stats.begin(
      connectionOf(req.socket),
      req.method ?? 'GET',
      match?.route.template ?? other,
      headerOf(req, 'x-onrush-name'),
      headerOf(req, 'x-row') ?? query.get('row') ?? undefined,
    )
    const exchange = new Exchange(req, res, query, match?.param ?? '', entry)
    if (match === undefined) {
      exchange.fail(new OnrushError('not_found', `no route ${path}; GET / lists what there is`))
      return
    }
    const handler = handlerOf(match.route, req.method ?? 'GET')
    if (handler === undefined) {
      const allow = Object.keys(match.route.handlers).join(', ')
      const detail = `${path}: expected ${allow}, got ${req.method}`
      exchange.fail(new OnrushError('method_not_allowed', detail), ['allow', allow])
      return
    }
    void answer(handler, exchange)
  }
}

async function answer(handler: Handler, exchange: Exchange): Promise<void> {
  try {
    await handler(exchange)
  } catch (error) {
    // Reading the body of a client that has gone fails; there is nobody left to tell, and the abort is counted.
    if (exchange.res.destroyed) return
    if (exchange.res.headersSent) exchange.res.destroy()
    else exchange.fail(error)
  }
}

const handlerOf = ({ handlers }: Route, method: string): Handler | undefined =>
  handlers[method] ?? (method === 'HEAD' ? handlers.GET : undefined) ?? handlers['*']

function headerOf(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const noQuery = new URLSearchParams()

function split(url: string): { path: string; query: URLSearchParams } {
  const mark = url.indexOf('?')
  if (mark === -1) return { path: url, query: noQuery }
  return { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) }
}

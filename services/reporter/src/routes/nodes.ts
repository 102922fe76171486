import type { Redis } from '@onrush/fleet/redis'
import { OnrushError } from '@onrush/protocol/error'
import type { Reporters } from '@onrush/protocol/stored-report'
import type { ReportStore } from '@onrush/report/report-store'
import { Hono } from 'hono'
import { aliveNodes } from '../fleet/nodes.ts'
import type { Scripts } from '../scripts.ts'

interface NodeNeeds {
  readonly redis: Redis
  readonly reports: ReportStore
  readonly scripts: Scripts
}

const prefix = '/api/simulations/'

/** It only ever finds a script of the list; it is no path. */
function nameIn(url: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname.slice(prefix.length))
  } catch (cause) {
    throw new OnrushError('malformed', 'expected a name in percent-encoded UTF-8', { cause })
  }
}

export function nodeRoutes({ redis, reports, scripts }: NodeNeeds): Hono {
  return new Hono()
    .get('/api/reporters', async c => {
      const list = c.req.query('list')
      if (list === 'reports') return c.json(await reports.list())
      if (list === 'nodes') return c.json(await aliveNodes(redis, 'reporter'))
      if (list !== undefined) {
        const message = `expected "reports" or "nodes", got "${list.slice(0, 80)}"`
        throw new OnrushError('invalid', `the query has a problem: ?list: ${message}`, {
          errors: [{ path: '?list', message }],
        })
      }
      const both: Reporters = { reports: await reports.list(), nodes: await aliveNodes(redis, 'reporter') }
      return c.json(both)
    })
    .get('/api/workers', async c => c.json(await aliveNodes(redis, 'worker')))
    .get('/api/simulations', async c => c.json(await scripts.list()))
    .get(`${prefix}*`, async c => c.json(await scripts.source(nameIn(c.req.url))))
}

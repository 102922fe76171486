import type { EngineStatus } from '@onrush/protocol/engine-status'
import { OnrushError } from '@onrush/protocol/error'
import { limits } from '@onrush/protocol/limits'
import type { EngineMonitorMessage } from '@onrush/protocol/monitor'
import { SimulationRequest } from '@onrush/protocol/run-request'
import { Single } from '@onrush/protocol/single'
import { workerEndpoints } from '@onrush/protocol/worker-endpoints'
import type { ReportStore } from '@onrush/report/report-store'
import { apiRoutes } from '@onrush/web/api-routes'
import type { AuthVariables } from '@onrush/web/authenticate'
import type { FeedSocket } from '@onrush/web/feed'
import { type Guard, guardedApp } from '@onrush/web/guarded-app'
import { idempotencyKey } from '@onrush/web/idempotency-key'
import { jsonBody } from '@onrush/web/json-body'
import { websocket } from '@onrush/web/listen'
import type { Hono } from 'hono'
import type { Registry } from 'onrush/registry'
import type { BundleCache } from './bundle-cache.ts'
import { compileRoutes } from './compile-routes.ts'
import type { EngineSlot } from './engine-slot.ts'
import { answerLog } from './log-answer.ts'
import type { MonitorHub } from './monitor-hub.ts'
import type { AloneRuns } from './run-alone.ts'
import { findLog } from './shard-log.ts'

export interface AppNeeds {
  readonly worker: string
  readonly version: string
  /** Who may come in. */
  readonly guard: Guard
  readonly slot: EngineSlot
  readonly status: () => EngineStatus
  readonly metrics: () => string
  readonly alone: AloneRuns
  readonly monitor: MonitorHub<EngineMonitorMessage>
  readonly registry: Registry
  readonly cache: BundleCache
  readonly logFolder: string
  /** Of what ran here alone; a fleet's reports lie with its reporters. */
  readonly reports: ReportStore
}

/** A spec of a hundred scenarios fits; a body that wants to fill our memory does not. */
const mostBody = limits.startBody.value
const mostWatchers = limits.workerWatchers.value

const stopPath = '/api/engine/stop'

/** The worker's HTTP side, as the interface names it. */
export function createApp(needs: AppNeeds): Hono<{ Variables: AuthVariables }> {
  const { slot, alone, monitor, worker } = needs
  const app = guardedApp(needs.guard, {
    actingGets: [stopPath],
    starts: ['POST /api/engine/single', 'POST /api/engine/simulation', 'POST /api/engine/compile'],
  })

  app.get('/healthz', c => c.json({ status: 'ok', role: 'worker', id: worker }))
  app.get('/metrics', c => c.text(needs.metrics(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }))

  app.get('/api/engine/status', c => c.json(needs.status()))
  app.get(stopPath, c => {
    const { runId } = slot.view
    const stopped = slot.stop(`stopped over ${stopPath}`)
    return c.json({ stopped, ...(stopped && runId !== undefined ? { runId } : {}) })
  })
  app.post('/api/engine/single', async c => {
    const { value, text } = await jsonBody(c, Single, mostBody)
    return c.json(await alone.single(value, idempotencyKey(c, text)), 202)
  })
  app.post('/api/engine/simulation', async c => {
    const { value, text } = await jsonBody(c, SimulationRequest, mostBody)
    return c.json(await alone.simulation(value, idempotencyKey(c, text)), 202)
  })
  app.get('/api/engine/simulation/:runId', async c => {
    const found = await findLog(needs.logFolder, c.req.param('runId'))
    if (found === undefined) throw new OnrushError('not_found', 'this worker has no log of that run')
    return answerLog(c, found)
  })
  app.get('/report/:runId/:file', async c => {
    const report = await needs.reports.answer(c.req.param('runId'), c.req.param('file'))
    if (report === undefined)
      throw new OnrushError('not_found', 'this worker has no such report: it keeps those of what it ran alone')
    return report
  })
  app.get(
    '/api/engine/monitor',
    watching(monitor, () => stateMessage(worker, slot)),
  )
  app.route('/', compileRoutes(needs))
  app.route(
    '/',
    apiRoutes(
      {
        title: 'Onrush worker',
        version: needs.version,
        description:
          'Executes shards of runs. Reporters reach it through Redis; these calls are for looking, and for a worker on its own.',
      },
      workerEndpoints,
    ),
  )
  return app
}

/** A websocket of a hub: first how things stand, then each message as it comes. */
const watching = <T>(hub: MonitorHub<T>, first: () => T) =>
  websocket(
    () => {
      let client: FeedSocket | undefined
      return {
        open: socket => {
          client = socket
          hub.add(socket, first())
        },
        closed: () => {
          if (client !== undefined) hub.remove(client)
        },
      }
    },
    { most: mostWatchers, full: 'too many clients watch this worker' },
  )

export function stateMessage(worker: string, slot: EngineSlot): EngineMonitorMessage {
  const { state, runId } = slot.view
  return { type: 'state', worker, state, ...(runId === undefined ? {} : { runId }), at: new Date().toISOString() }
}

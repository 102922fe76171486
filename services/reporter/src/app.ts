import type { ContentStore } from '@onrush/fleet/content-store'
import type { Redis } from '@onrush/fleet/redis'
import { reporterEndpoints } from '@onrush/protocol/reporter-endpoints'
import type { ReportStore } from '@onrush/report/report-store'
import { apiRoutes } from '@onrush/web/api-routes'
import type { AuthVariables } from '@onrush/web/authenticate'
import { type Guard, guardedApp } from '@onrush/web/guarded-app'
import type { Log } from '@onrush/web/log'
import { queuePolicy } from '@onrush/web/security-headers'
import type { Hono } from 'hono'
import type { Registry } from 'onrush/registry'
import type { Prefetcher } from './compile/prefetcher.ts'
import { compileRoutes } from './compile/routes.ts'
import { contentRoutes } from './content/routes.ts'
import type { DashboardFiles } from './dashboard-files.ts'
import { type DataNeeds, dataRoutes } from './data-files/routes.ts'
import type { NodeCalls } from './fleet/node-calls.ts'
import type { LiveRuns } from './live/live-runs.ts'
import { boardPath, type QueueBoard } from './queue-board.ts'
import { jobRoutes } from './routes/jobs.ts'
import { nodeRoutes } from './routes/nodes.ts'
import { reportRoutes } from './routes/report.ts'
import { scheduleRoutes } from './routes/schedules.ts'
import { startPath, startRoutes } from './routes/start.ts'
import { stopRoutes } from './routes/stop.ts'
import type { StartRuns } from './runs/start-runs.ts'
import type { Schedules } from './schedules.ts'

export interface AppNeeds {
  readonly reporter: string
  readonly version: string
  /** Who may come in. */
  readonly guard: Guard
  /** Fails at once while Redis is away, so that an answer is 503 and not silence. */
  readonly redis: Redis
  readonly starts: StartRuns
  readonly scripts: Registry
  readonly prefetcher: Prefetcher
  /** What workers fetch from here. */
  readonly store: ContentStore
  readonly dataFiles: DataNeeds
  readonly schedules: Schedules
  readonly live: LiveRuns
  readonly reports: ReportStore
  readonly calls: NodeCalls
  readonly board: QueueBoard
  readonly dashboard: DashboardFiles
  readonly metrics: () => Promise<string>
  readonly log: Log
}

/** The reporter's HTTP side, as the interface names it. */
export function createApp(needs: AppNeeds): Hono<{ Variables: AuthVariables }> {
  const app = guardedApp(needs.guard, {
    actingGets: [startPath],
    starts: [`GET ${startPath}`, `POST ${startPath}`, 'POST /api/simulation', 'POST /api/compile'],
    // The page itself is for those who are logged in; what it is made of holds no data.
    isPublic: path => path !== '/' && path !== '/index.html' && needs.dashboard.has(path),
    policyOf: path => (path === boardPath || path.startsWith(`${boardPath}/`) ? queuePolicy : undefined),
  })

  app.get('/healthz', async c => {
    await needs.redis.ping()
    return c.json({ status: 'ok', role: 'reporter', id: needs.reporter })
  })
  app.get('/metrics', async c =>
    c.text(await needs.metrics(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
  )
  app.route('/', jobRoutes(needs))
  app.route('/', nodeRoutes(needs))
  app.route('/', startRoutes(needs))
  app.route('/', stopRoutes(needs))
  app.route('/', compileRoutes(needs))
  app.route('/', contentRoutes(needs.store))
  app.route('/', dataRoutes(needs.dataFiles))
  app.route('/', scheduleRoutes(needs))
  app.route('/', reportRoutes(needs))
  app.route(
    '/',
    apiRoutes(
      {
        title: 'Onrush reporter',
        version: needs.version,
        description:
          'Starts, follows, stops and reports runs. Failures are `application/problem+json`; a call that acts wants the role operator.',
      },
      reporterEndpoints,
    ),
  )
  app.route('/', needs.board.routes())
  app.route('/', needs.dashboard.routes())
  return app
}

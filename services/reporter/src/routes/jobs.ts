import type { Redis } from '@onrush/fleet/redis'
import { openRuns, readRun } from '@onrush/fleet/run-store'
import { OnrushError } from '@onrush/protocol/error'
import { limits } from '@onrush/protocol/limits'
import { RunId } from '@onrush/protocol/node'
import { type ClientSocket, websocket } from '@onrush/web/listen'
import { Hono } from 'hono'
import type { LiveRuns } from '../live/live-runs.ts'
import { stopRun } from './stop.ts'

const mostWatchers = limits.runWatchers.value

interface JobNeeds {
  readonly redis: Redis
  readonly live: LiveRuns
}

async function jobOf(redis: Redis, runId: string) {
  const job = RunId.safeParse(runId).success ? await readRun(redis, runId) : undefined
  if (job === undefined) throw new OnrushError('not_found', `there is no run "${runId.slice(0, 80)}"`)
  return job
}

export function jobRoutes({ redis, live }: JobNeeds): Hono {
  return new Hono()
    .get('/api/jobs', async c => c.json(await openRuns(redis)))
    .get('/api/job/:runId', async c => c.json(await jobOf(redis, c.req.param('runId'))))
    .delete('/api/job/:runId', async c => {
      const { runId } = await jobOf(redis, c.req.param('runId'))
      await stopRun(redis, runId, `stopped over DELETE /api/job/${runId}`)
      return c.json(await jobOf(redis, runId), 202)
    })
    .get(
      '/api/job/:runId/monitor',
      websocket(
        async request => {
          const { runId } = await jobOf(redis, request.param('runId') ?? '')
          let client: ClientSocket | undefined
          return {
            open: socket => {
              client = socket
              live.watch(runId, socket)
            },
            closed: () => {
              if (client !== undefined) live.unwatch(runId, client)
            },
          }
        },
        { most: mostWatchers, full: 'too many clients watch runs here' },
      ),
    )
}

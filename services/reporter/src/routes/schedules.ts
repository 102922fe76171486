import { OnrushError } from '@onrush/protocol/error'
import { limits } from '@onrush/protocol/limits'
import { jsonBody } from '@onrush/web/json-body'
import { Hono } from 'hono'
import { ScheduleRequest } from '../schedule-request.ts'
import type { Schedules } from '../schedules.ts'

const mostBody = limits.startBody.value

export function scheduleRoutes({ schedules }: { schedules: Schedules }): Hono {
  return new Hono()
    .get('/api/schedules', async c => c.json(await schedules.list()))
    .post('/api/schedules', async c =>
      c.json(await schedules.put((await jsonBody(c, ScheduleRequest, mostBody)).value), 201),
    )
    .delete('/api/schedules/:id', async c => {
      const id = c.req.param('id')
      if (!(await schedules.remove(id))) throw new OnrushError('not_found', `there is no schedule "${id.slice(0, 80)}"`)
      return c.body(null, 204)
    })
}

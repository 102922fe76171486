import { faultsInWords } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import { limits } from '@onrush/protocol/limits'
import { SimulationRequest } from '@onrush/protocol/run-request'
import { Single } from '@onrush/protocol/single'
import { atParameter, singleFromQuery } from '@onrush/protocol/single-query'
import { idempotencyKey } from '@onrush/web/idempotency-key'
import { jsonBody } from '@onrush/web/json-body'
import { Hono } from 'hono'
import type { StartRuns } from '../runs/start-runs.ts'

/** The GET that starts something. */
export const startPath = '/api/single'

/** A spec of a hundred scenarios fits; a body that wants to fill our memory does not. */
const mostBody = limits.startBody.value

export function startRoutes({ starts }: { starts: StartRuns }): Hono {
  return new Hono()
    .get(startPath, async c => {
      const { search, searchParams } = new URL(c.req.url)
      const checked = singleFromQuery(searchParams)
      if (!checked.ok)
        throw new OnrushError('invalid', faultsInWords('the query', checked.faults), { errors: checked.faults })
      return c.json(await inQuery(() => starts.single(checked.value, idempotencyKey(c, search))), 202)
    })
    .post(startPath, async c => {
      const { value, text } = await jsonBody(c, Single, mostBody)
      return c.json(await starts.single(value, idempotencyKey(c, text)), 202)
    })
    .post('/api/simulation', async c => {
      const { value, text } = await jsonBody(c, SimulationRequest, mostBody)
      return c.json(await starts.simulation(value, idempotencyKey(c, text)), 202)
    })
}

/** Faults where the caller wrote them: in the query, not in the request that it stood for. */
async function inQuery<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof OnrushError)) throw error
    const errors = error.errors.map(atParameter)
    if (errors.every((each, i) => each === error.errors[i])) throw error
    throw new OnrushError(error.code, faultsInWords('the query', errors), { cause: error, errors })
  }
}

import type { ContentStore } from '@onrush/fleet/content-store'
import { OnrushError } from '@onrush/protocol/error'
import type { AuthVariables } from '@onrush/web/authenticate'
import { Hono } from 'hono'
import { answerFile } from './range-answer.ts'

/** Serves workers what is too large for Redis. Bundles may hold secrets: an operator's token does not open this. */
export function contentRoutes(store: ContentStore): Hono<{ Variables: AuthVariables }> {
  return new Hono<{ Variables: AuthVariables }>().get('/api/content/:hash', async c => {
    if (c.get('role') !== 'node') throw new OnrushError('forbidden', 'contents are served to nodes of the fleet only')
    const hash = c.req.param('hash')
    const path = store.pathOf(hash)
    const size = await store.sizeOf(hash)
    if (size === undefined) throw new OnrushError('not_found', `this reporter does not hold the content ${hash}`)
    return answerFile(c, path, size, { etag: `"${hash}"`, 'cache-control': 'no-store' })
  })
}

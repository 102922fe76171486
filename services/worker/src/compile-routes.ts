import { EngineCompileRequest, type Prefetched } from '@onrush/protocol/compile-outcome'
import type { Contents } from '@onrush/protocol/content'
import { OnrushError } from '@onrush/protocol/error'
import { limits } from '@onrush/protocol/limits'
import type { AuthVariables } from '@onrush/web/authenticate'
import { jsonBody } from '@onrush/web/json-body'
import { lineStream } from '@onrush/web/line-stream'
import { Hono } from 'hono'
import type { Registry } from 'onrush/registry'
import type { BundleCache } from './bundle-cache.ts'

export interface CompileNeeds {
  readonly worker: string
  readonly registry: Registry
  readonly cache: BundleCache
}

/** Two thousand simulations with their files. */
const mostBody = limits.compileBody.value
const mostWatchers = limits.compileWatchers.value

/** Compiles this worker's own folder, or makes it ready for what a reporter may start here. */
export function compileRoutes({ worker, registry, cache }: CompileNeeds): Hono<{ Variables: AuthVariables }> {
  return new Hono<{ Variables: AuthVariables }>()
    .post('/api/engine/compile', async c => {
      const { value } = await jsonBody(c, EngineCompileRequest, mostBody)
      if (value.prefetch === undefined) {
        const outcome = await registry.compile({ pull: value.pull })
        if (outcome.error !== undefined) throw new OnrushError('conflict', outcome.error)
        return c.json(outcome)
      }
      if (c.get('role') !== 'node') {
        throw new OnrushError('forbidden', '"prefetch" names contents of the fleet: only a reporter may ask for it')
      }
      return c.json(await prefetch(value.prefetch))
    })
    .get('/api/engine/compiler', lineStream(registry.log.subscribe, mostWatchers))

  async function prefetch(all: readonly Contents[]): Promise<Prefetched> {
    const { say } = registry.log
    let [ready, fetched, bytes] = [0, 0, 0]
    const problems: string[] = []
    for (const contents of all) {
      try {
        const came = await cache.prefetch(contents)
        ready++
        fetched += came.fetched
        bytes += came.bytes
      } catch (error) {
        const text = `${contents.script}: ${error instanceof Error ? error.message : String(error)}`
        problems.push(text)
        say({ type: 'line', level: 'error', text })
      }
    }
    const text = `${worker} holds ${ready} of ${all.length} simulations ready; ${fetched} contents (${bytes} bytes) were fetched`
    say({ type: 'line', level: problems.length === 0 ? 'info' : 'warn', text })
    return { ready, fetched, bytes, problems: problems.slice(0, 100) }
  }
}

import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { HonoAdapter } from '@bull-board/hono'
import { openWorkerQueue, type Queue } from '@onrush/fleet/queues'
import type { OnRedisError, Redis } from '@onrush/fleet/redis'
import { listReservations } from '@onrush/fleet/reservation'
import { withoutSecrets } from '@onrush/protocol/secrets'
import { staticFiles } from '@onrush/web/static-files'
import { Hono, type MiddlewareHandler } from 'hono'
import { aliveNodes } from './fleet/nodes.ts'

export interface BoardNeeds {
  readonly redis: Redis
  readonly onRedisError: OnRedisError
  /** The queues that are always there. */
  readonly queues: readonly Queue[]
}

export const boardPath = '/queues'

function adapterOf(queue: Queue): BullMQAdapter {
  const adapter = new BullMQAdapter(queue, { readOnlyMode: true, delimiter: '.' })
  adapter.setFormatter('data', withoutSecrets)
  return adapter
}

/** Nothing comes from outside: the page falls back on the system's own fonts. */
const outsideFont = /<link[^>]*fonts\.googleapis\.com[^>]*>/g
const withoutOutsideFonts: MiddlewareHandler = async (c, next) => {
  await next()
  if (!(c.res.headers.get('content-type') ?? '').includes('text/html')) return
  const page = await c.res.text()
  c.res = new Response(page.replaceAll(outsideFont, ''), c.res)
}

/** The queues to look at. Those of workers come and go with them. */
export class QueueBoard {
  readonly #needs: BoardNeeds
  readonly #board: ReturnType<typeof createBullBoard>
  readonly #workers = new Map<string, Queue>()
  readonly #adapter: HonoAdapter

  constructor(needs: BoardNeeds) {
    this.#needs = needs
    this.#adapter = new HonoAdapter(staticFiles)
    this.#adapter.setBasePath(boardPath)
    this.#board = createBullBoard({
      queues: needs.queues.map(adapterOf),
      serverAdapter: this.#adapter,
      options: {
        uiConfig: { boardTitle: 'Onrush queues', hideRedisDetails: true, showWorkers: false },
      },
    })
  }

  routes(): Hono {
    const app = new Hono()
    app.get(`${boardPath}/`, c => c.redirect(boardPath))
    app.use(boardPath, withoutOutsideFonts)
    app.use(`${boardPath}/*`, withoutOutsideFonts)
    app.route(boardPath, this.#adapter.registerPlugin())
    return app
  }

  /** Those that are alive, and those that a run still holds. */
  async sync(): Promise<void> {
    const { redis, onRedisError } = this.#needs
    const workers = await aliveNodes(redis, 'worker')
    const wanted = new Set([...workers.map(({ id }) => id), ...(await listReservations(redis)).keys()])
    for (const id of wanted) {
      if (this.#workers.has(id)) continue
      const queue: Queue = openWorkerQueue(id, redis, onRedisError)
      this.#workers.set(id, queue)
      this.#board.addQueue(adapterOf(queue))
    }
    for (const [id, queue] of this.#workers) {
      if (wanted.has(id)) continue
      this.#workers.delete(id)
      this.#board.removeQueue(queue.name)
      await queue.close()
    }
  }

  async close(): Promise<void> {
    for (const queue of this.#workers.values()) await queue.close()
  }
}

import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ContentRef, smallContent } from '@onrush/protocol/content'
import { OnrushError } from '@onrush/protocol/error'
import { getBlob } from './blobs.ts'
import { download } from './content-download.ts'
import type { ContentStore } from './content-store.ts'
import { listNodes } from './heartbeat.ts'
import type { Redis } from './redis.ts'

export interface FetcherNeeds {
  readonly store: ContentStore
  readonly redis: Redis
  /** The fleet's, which opens the contents of its reporters. */
  readonly secret: string
  /** Names what this node has begun to fetch, so that after a restart it goes on from there. */
  readonly node: string
  readonly limitMs?: number
}

const defaultLimitMs = 600_000
const mostTries = 8

/** Brings contents here that are not here yet: small ones from Redis, large ones from the nodes that hold them. */
export class ContentFetcher {
  readonly #needs: FetcherNeeds
  readonly #underWay = new Map<string, Promise<boolean>>()

  constructor(needs: FetcherNeeds) {
    this.#needs = needs
  }

  /** True when it had to be fetched. Two who need the same content wait for one fetch. */
  async ensure(ref: ContentRef, sources: readonly string[]): Promise<boolean> {
    if (await this.#needs.store.has(ref)) return false
    let fetching = this.#underWay.get(ref.hash)
    if (fetching === undefined) {
      fetching = this.#fetch(ref, sources).finally(() => this.#underWay.delete(ref.hash))
      this.#underWay.set(ref.hash, fetching)
    }
    return await fetching
  }

  async #fetch(ref: ContentRef, sources: readonly string[]): Promise<boolean> {
    const { store, redis } = this.#needs
    if (ref.size <= smallContent) {
      const content = await getBlob(redis, ref.hash)
      if (content !== undefined) {
        await store.keep(content)
        return true
      }
    }
    await this.#download(ref, sources)
    return true
  }

  async #download(ref: ContentRef, named: readonly string[]): Promise<void> {
    const { store, secret, node, limitMs = defaultLimitMs } = this.#needs
    await store.makeRoom(ref.size)
    const part = await store.partOf(`${node}-${ref.hash}`)
    const signal = AbortSignal.timeout(limitMs)
    const problems: string[] = []
    const absent = new Set<string>()
    const what = `the content ${ref.hash.slice(0, 10)} (${ref.size} bytes)`
    for (let tries = 0; tries < mostTries; tries++) {
      // Looked up each time: a reporter that came back elsewhere holds what it held before.
      const sources = (await this.#sources(named)).filter(source => !absent.has(source))
      const source = sources[tries % Math.max(1, sources.length)]
      if (source === undefined) break
      try {
        const tried = await download(ref, source, part, secret, signal)
        if (tried === 'complete') {
          if (await store.receive(part, ref)) return
          problems.push(`${source} sent something else than ${what}`)
          absent.add(source)
        } else if (tried === 'absent') absent.add(source)
        else problems.push(tried.problem)
      } catch (error) {
        if (!signal.aborted) throw error
        await rm(part, { force: true })
        throw new OnrushError('timeout', `${what} did not come within ${limitMs / 1000} s`, { cause: error })
      }
      if (tries > 0) await sleep(Math.min(2_000, 100 * 2 ** tries))
    }
    const tried = [...problems.slice(-3), ...[...absent].map(source => `${source} does not hold it`)]
    throw new OnrushError(
      'not_found',
      `${what} cannot be had: ${tried.join('; ') || 'no reporter is alive'}. Start the run again; a reporter on another host must be reachable there (ONRUSH_HOST, ONRUSH_ADVERTISE)`,
    )
  }

  async #sources(named: readonly string[]): Promise<string[]> {
    const nodes = await listNodes(this.#needs.redis)
    const reporters = nodes.filter(({ record, alive }) => alive && record.role === 'reporter')
    return [...new Set([...named, ...reporters.map(({ record }) => record.address)])]
  }
}

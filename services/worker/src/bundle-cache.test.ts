import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ContentFetcher } from '@onrush/fleet/content-fetcher'
import { ContentPublisher } from '@onrush/fleet/content-publisher'
import { ContentStore } from '@onrush/fleet/content-store'
import { connectRedis, type Redis } from '@onrush/fleet/redis'
import type { Contents } from '@onrush/protocol/content'
import { Simulation } from '@onrush/protocol/simulation'
import { startRedis } from '@onrush/servers/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BundleCache } from './bundle-cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'onrush-cache-'))
/** A reporter that holds nothing, so that what is not in Redis is nowhere. */
const reporter = createServer((_, response) => response.writeHead(404).end())
let redis: Redis
let stop: () => Promise<void>

beforeAll(async () => {
  await once(reporter.listen(0, '127.0.0.1'), 'listening')
  const server = await startRedis({ dataDir: join(folder, 'redis') })
  redis = await connectRedis(server.url, 'blocking', error => {
    throw error
  })
  stop = () => server.stop()
}, 60_000)
afterAll(async () => {
  reporter.close()
  redis?.disconnect()
  await stop?.()
  rmSync(folder, { recursive: true, force: true })
})

function addressOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  return `http://127.0.0.1:${address.port}`
}

let caches = 0
function cacheOf(mostBytes = 1e9) {
  const cached = join(folder, `cache-${++caches}`)
  const store = new ContentStore({ folder: cached, mostBytes })
  const fetcher = new ContentFetcher({ store, redis, secret: 's', node: 'w1' })
  return { cached, store, cache: new BundleCache({ folder: cached, store, fetcher, worker: 'w1' }) }
}

const simulation = Simulation.parse({
  scenarios: [{ name: 'a', inject: [{ type: 'atOnceUsers', users: 1 }], steps: [{ type: 'pause', for: '1s' }] }],
})

async function publish(files: Record<string, string>): Promise<Contents> {
  const author = join(folder, `author-${++caches}`, 'scripts')
  await mkdir(author, { recursive: true })
  const places: Record<string, string> = {}
  for (const [name, text] of Object.entries(files)) {
    places[name] = join(author, name)
    await mkdir(join(author, name, '..'), { recursive: true })
    await writeFile(join(author, name), text)
  }
  const publisher = new ContentPublisher({
    store: new ContentStore({ folder: join(author, '.contents'), mostBytes: 1e9 }),
    redis,
    address: addressOf(reporter),
  })
  const bundle = { code: 'export default "onrush:script"', sourceMap: '{"version":3,"sources":[],"mappings":""}' }
  const loaded = { name: 'checkout', file: join(author, 'checkout.ts'), simulation, bundle, files: places }
  return (await publisher.publish(loaded)).contents
}

const never = () => new AbortController().signal

describe('the files of a run', () => {
  it('lie as they lay beside the script, for as long as the run lasts', async () => {
    const { cached, cache } = cacheOf()
    const contents = await publish({ 'users.csv': 'a,b\n', 'protos/shop.proto': 'x', '../shared/items.csv': 'y' })
    await cache.with(contents, never(), async ({ bundle, files }) => {
      const text = await readFile(bundle, 'utf8')
      const script = /file:\/\/(\S+?)checkout\.ts/.exec(text)?.[1] ?? ''
      expect(files['users.csv']).toBe(`${script}users.csv`)
      expect(await readFile(join(script, 'protos/shop.proto'), 'utf8')).toBe('x')
      expect(await readFile(join(script, '../shared/items.csv'), 'utf8')).toBe('y')
      for (const file of [bundle, ...Object.values(files)]) expect((await stat(file)).mode & 0o077).toBe(0)
      expect((await stat(cached)).mode & 0o077).toBe(0)
    })
    expect(await readdir(join(cached, 'in-use/w1'))).toEqual([])
  })

  it('are fetched once', async () => {
    const { cache } = cacheOf()
    const contents = await publish({ 'users.csv': 'once\n' })
    expect((await cache.prefetch(contents)).fetched).toBe(3)
    await redis.flushall()
    expect(await cache.prefetch(contents)).toEqual({ fetched: 0, bytes: 0 })
    const { cache: empty } = cacheOf()
    await expect(empty.prefetch(contents)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('are not evicted while they are in use, and are the first to go when they were not used for longest', async () => {
    const { store, cache } = cacheOf(3_000)
    const one = await publish({ 'a.csv': 'a'.repeat(1_500) })
    const two = await publish({ 'b.csv': 'b'.repeat(1_500) })
    const three = await publish({ 'c.csv': 'c'.repeat(1_500) })
    const refOf = ({ files }: Contents) => {
      const [ref] = Object.values(files)
      if (ref === undefined) throw new Error('no file')
      return ref
    }
    await cache.with(one, never(), async ({ files }) => {
      await cache.prefetch(two)
      await cache.prefetch(three)
      expect(await readFile(files['a.csv'] ?? '', 'utf8')).toBe('a'.repeat(1_500))
      expect(await store.has(refOf(one))).toBe(true)
      expect(await store.has(refOf(two))).toBe(false)
    })
  })

  it('refuse a name that leads out', async () => {
    const { cache } = cacheOf()
    const contents = await publish({ 'a.csv': 'a' })
    const [ref] = Object.values(contents.files)
    if (ref === undefined) throw new Error('no file')
    const names = ['/etc/passwd', '../../../../../etc/x', 'a/../../b.csv', './a.csv']
    const odd = { ...contents, files: Object.fromEntries(names.map(name => [name, ref])) }
    await cache.with(odd, never(), async ({ files }) => {
      for (const file of Object.values(files)) expect(file.startsWith(join(folder, `cache-`))).toBe(true)
    })
  })

  it('are not waited for when the run is stopped', async () => {
    const { cache } = cacheOf()
    const contents = await publish({ 'a.csv': 'stopped' })
    await expect(cache.with(contents, AbortSignal.abort(), async () => 1)).rejects.toMatchObject({ code: 'conflict' })
  })
})

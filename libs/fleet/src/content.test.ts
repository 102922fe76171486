import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { hashOf } from './blobs.ts'
import { ContentFetcher } from './content-fetcher.ts'
import { ContentStore, type StoreNeeds } from './content-store.ts'
import { testRedis } from './redis.testing.ts'

const on = testRedis()
const base = mkdtempSync(join(tmpdir(), 'onrush-content-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

let stores = 0
const storeOf = (needs: Partial<StoreNeeds> = {}) =>
  new ContentStore({ folder: join(base, `store-${++stores}`), mostBytes: 1e9, ...needs })
const fetcherOf = (store: ContentStore) => new ContentFetcher({ store, redis: on.redis, secret: 'fleet', node: 'w1' })

const large = randomBytes(3 * 1_048_576)
const ref = { hash: hashOf(large), size: large.byteLength }

/** A node that answers as the test wants, and what it was asked. */
async function sourceThat(answer: (request: IncomingMessage, response: ServerResponse, nth: number) => void) {
  const asked: IncomingMessage['headers'][] = []
  const server = createServer((request, response) => {
    asked.push(request.headers)
    answer(request, response, asked.length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { asked, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` }
}

/** As a reporter answers, range and all. */
function serve(
  request: IncomingMessage,
  response: ServerResponse,
  content: Uint8Array,
  end = content.byteLength,
): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  response.writeHead(from === 0 ? 200 : 206, {
    'content-length': content.byteLength - from,
    ...(from === 0 ? {} : { 'content-range': `bytes ${from}-${content.byteLength - 1}/${content.byteLength}` }),
  })
  response.write(content.subarray(from, end), () => {
    if (end < content.byteLength) response.destroy()
    else response.end()
  })
}

describe('a large content', () => {
  it('goes on where a broken connection left it', async () => {
    const half = large.byteLength / 2
    const source = await sourceThat((request, response, nth) =>
      serve(request, response, large, nth === 1 ? half : undefined),
    )
    const store = storeOf()
    expect(await fetcherOf(store).ensure(ref, [source.url])).toBe(true)
    expect(await readFile(store.pathOf(ref.hash))).toEqual(large)
    expect(source.asked.map(({ range }) => range)).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)])
    expect(source.asked.map(({ authorization }) => authorization)).toEqual(['Bearer fleet', 'Bearer fleet'])
    expect((await stat(store.pathOf(ref.hash))).mode & 0o077).toBe(0)
    expect(await fetcherOf(store).ensure(ref, [source.url])).toBe(false)
  })

  it('is fetched once for all who want it at the same time', async () => {
    const source = await sourceThat((request, response) => serve(request, response, large))
    const fetcher = fetcherOf(storeOf())
    await Promise.all([1, 2, 3].map(() => fetcher.ensure(ref, [source.url])))
    expect(source.asked).toHaveLength(1)
  })

  it.each([
    ['other bytes', randomBytes(large.byteLength)],
    ['more bytes', Buffer.concat([large, large])],
    ['fewer bytes', large.subarray(0, 1_000)],
  ])('is not taken from one that sends %s, but from another', async (_, content) => {
    const liar = await sourceThat((request, response) => serve(request, response, content))
    const honest = await sourceThat((request, response) => serve(request, response, large))
    const store = storeOf()
    await fetcherOf(store).ensure(ref, [liar.url, honest.url])
    expect(hashOf(await readFile(store.pathOf(ref.hash)))).toBe(ref.hash)
    expect(liar.asked).toHaveLength(1)
    expect(await readdir(join(store.pathOf(ref.hash), '..'))).toEqual([ref.hash])
  })

  it('that nobody holds is an error that says who was asked', async () => {
    const source = await sourceThat((_, response) => response.writeHead(404).end())
    const error = await fetcherOf(storeOf())
      .ensure(ref, [source.url])
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining(`${source.url} does not hold it`),
    })
  })

  it('is not looked for where a redirect leads', async () => {
    const elsewhere = await sourceThat((request, response) => serve(request, response, large))
    const source = await sourceThat((_, response, nth) =>
      nth < 3 ? response.writeHead(302, { location: elsewhere.url }).end() : response.writeHead(404).end(),
    )
    await expect(fetcherOf(storeOf()).ensure(ref, [source.url])).rejects.toMatchObject({ code: 'not_found' })
    expect(elsewhere.asked).toHaveLength(0)
  })
})

describe('the store of contents', () => {
  it('keeps a file as it was when it was asked to', async () => {
    const store = storeOf()
    const file = join(base, 'rows.csv')
    await writeFile(file, 'first\n')
    const first = await store.keepFile(file)
    expect(await store.keepFile(file)).toEqual(first)
    await writeFile(file, 'second\n')
    const second = await store.keepFile(file)
    expect(await readFile(store.pathOf(first.hash), 'utf8')).toBe('first\n')
    expect(second.hash).not.toBe(first.hash)
  })

  it('finds out when a content was changed on the disk', async () => {
    const store = storeOf()
    const kept = await store.keep(Buffer.from('good'))
    await writeFile(store.pathOf(kept.hash), 'evil')
    expect(await store.has(kept)).toBe(false)
    expect(await store.keep(Buffer.from('good'))).toEqual(kept)
    expect(await store.has(kept)).toBe(true)
  })

  it('gives up first what was used longest ago, and never what is promised or linked', async () => {
    const promised = new Set<string>()
    const store = storeOf({ mostBytes: 500, inUse: async () => promised })
    const refs = []
    for (const [i, text] of ['a', 'b', 'c', 'd'].entries()) {
      const kept = await store.keep(Buffer.from(text.repeat(100)))
      const used = new Date(Date.now() - (100 - i) * 1_000)
      await utimes(store.pathOf(kept.hash), used, used)
      refs.push(kept)
    }
    const [a, b, c, d] = refs
    if (!a || !b || !c || !d) throw new Error('four were kept')
    promised.add(a.hash)
    await store.place(b.hash, join(base, 'linked'))
    await store.makeRoom(300)
    const left = await Promise.all(refs.map(each => store.has(each)))
    expect(left).toEqual([true, true, false, false])
    expect(await store.sizeOf(b.hash)).toBe(100)
  })

  it('knows no names but hashes', async () => {
    for (const name of ['../../etc/passwd', 'A'.repeat(64), '']) expect(() => storeOf().pathOf(name)).toThrow(/sha256/)
  })
})

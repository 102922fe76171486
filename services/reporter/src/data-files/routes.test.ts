import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DataFile, DataPreview } from '@onrush/protocol/data-file'
import type { AuthVariables } from '@onrush/web/authenticate'
import { problems } from '@onrush/web/problems'
import type { Role } from '@onrush/web/tokens'
import { Hono } from 'hono'
import { Registry } from 'onrush/registry'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { DataFolder } from './data-folder.ts'
import { dataRoutes } from './routes.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'onrush-data-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const mostUploadBytes = 100_000
let root = ''
let changes = 0
beforeEach(() => {
  root = mkdtempSync(join(base, 'folder-'))
  changes = 0
})

function ask(
  method: string,
  path: string,
  options: { body?: string | ReadableStream<Uint8Array>; role?: Role; headers?: Record<string, string> } = {},
) {
  const app = new Hono<{ Variables: AuthVariables }>()
  const { onError, notFound } = problems(() => undefined)
  app.onError(onError)
  app.notFound(notFound)
  app.use(async (c, next) => {
    c.set('role', options.role ?? 'operator')
    await next()
  })
  const simulations = new Registry({
    folder: root,
    cacheDir: join(base, 'cache'),
    now: () => new Date(),
    onProblem: what => {
      throw new Error(what)
    },
  })
  const data = new DataFolder(root, join(root, 'fleet'), simulations)
  app.route('/', dataRoutes({ data, mostUploadBytes, onChange: () => changes++ }))
  const { body, headers } = options
  return app.request(path, {
    method,
    ...(body === undefined ? {} : { body, duplex: 'half' }),
    ...(headers === undefined ? {} : { headers }),
  })
}
/** What is in an answer, as the test expects it. */
const jsonOf = async <T>(response: Response): Promise<T> => JSON.parse(await response.text())
const codeOf = async (response: Response) => `${response.status} ${(await jsonOf<{ code: string }>(response)).code}`

describe('data files', () => {
  it('are uploaded, listed, read, replaced and deleted', async () => {
    const rows = 'user,id\nada,1\n'
    const put = await ask('PUT', '/api/data/team%20a/users.csv', { body: rows })
    expect(put.status).toBe(201)
    expect(await put.json()).toMatchObject({
      path: 'team a/users.csv',
      size: rows.length,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await (await ask('GET', '/api/data')).json()).toMatchObject([
      { path: 'team a/users.csv', size: rows.length },
    ])
    const whole = await ask('GET', '/api/data/team%20a/users.csv')
    expect([await whole.text(), whole.headers.get('content-disposition')]).toEqual([
      rows,
      "attachment; filename*=UTF-8''users.csv",
    ])
    const part = await ask('GET', '/api/data/team%20a/users.csv', { headers: { range: 'bytes=5-6' } })
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      'id',
      `bytes 5-6/${rows.length}`,
    ])
    expect((await ask('GET', '/api/data/team%20a/users.csv', { headers: { range: 'bytes=99-' } })).status).toBe(416)
    expect((await ask('PUT', '/api/data/team%20a/users.csv', { body: 'x\n' })).status).toBe(200)
    expect(readFileSync(join(root, 'team a/users.csv'), 'utf8')).toBe('x\n')
    expect((await ask('DELETE', '/api/data/team%20a/users.csv')).status).toBe(204)
    expect(await codeOf(await ask('DELETE', '/api/data/team%20a/users.csv'))).toBe('404 not_found')
    expect(changes).toBe(3)
    expect(readdirSync(root)).toEqual(['team a'])
  })

  it('are refused beyond the limit, declared or not, and leave nothing behind', async () => {
    const large = 'x'.repeat(mostUploadBytes + 1)
    expect(
      await codeOf(
        await ask('PUT', '/api/data/a.csv', { body: large, headers: { 'content-length': String(large.length) } }),
      ),
    ).toBe('413 too_large')
    const stream = new Blob([large]).stream()
    expect(await codeOf(await ask('PUT', '/api/data/a.csv', { body: stream }))).toBe('413 too_large')
    expect(await codeOf(await ask('PUT', '/api/data/a.csv', { body: 'x', headers: { 'content-length': '9' } }))).toBe(
      '400 malformed',
    )
    expect(readdirSync(root)).toEqual([])
  })

  it('are for operators', async () => {
    writeFileSync(join(root, 'users.csv'), 'secret\n')
    for (const path of ['/api/data', '/api/data/users.csv', '/api/data/users.csv?preview=2']) {
      expect(await codeOf(await ask('GET', path, { role: 'viewer' }))).toBe('403 forbidden')
    }
  })

  it('are no simulations: these are not listed, not made, not replaced and not deleted', async () => {
    const simulation = '{ "scenarios": [] }'
    writeFileSync(join(root, 'checkout.json'), simulation)
    writeFileSync(join(root, 'items.json'), '[{ "scenarios": 1 }]')
    expect((await jsonOf<DataFile[]>(await ask('GET', '/api/data'))).map(file => file.path)).toEqual(['items.json'])
    for (const [method, path, body] of [
      ['PUT', 'checkout.json', '[]'],
      ['PUT', 'new/search.yaml', 'scenarios:\n  - name: a\n'],
      ['PUT', 'items.json', simulation],
      ['DELETE', 'checkout.json', undefined],
    ] as const) {
      const answer = await ask(method, `/api/data/${path}`, body === undefined ? {} : { body })
      expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('it is a simulation')])
    }
    expect(readdirSync(root).sort()).toEqual(['checkout.json', 'items.json'])
    expect(readFileSync(join(root, 'checkout.json'), 'utf8')).toBe(simulation)
    expect(changes).toBe(0)
  })

  it('show their first rows', async () => {
    writeFileSync(join(root, 'a.csv'), `\uFEFFname,text\n${'"x","a\nb"\n'.repeat(30)}`)
    expect(await (await ask('GET', '/api/data/a.csv?preview=2')).json()).toEqual({
      format: 'csv',
      columns: ['name', 'text'],
      rows: [
        { name: 'x', text: 'a\nb' },
        { name: 'x', text: 'a\nb' },
      ],
      complete: false,
    })
    writeFileSync(join(root, 'a.json'), '[{"a":1},{"b":null}]')
    expect(await (await ask('GET', '/api/data/a.json?preview=9')).json()).toMatchObject({
      columns: ['a', 'b'],
      complete: true,
    })
    writeFileSync(join(root, 'a.jsonl'), '{"a":1}\n{"a":2}\n')
    expect(await (await ask('GET', '/api/data/a.jsonl?preview=1')).json()).toMatchObject({
      rows: [{ a: 1 }],
      complete: false,
    })
    writeFileSync(join(root, 'odd.json'), '{"a":\n')
    expect(await (await ask('GET', '/api/data/odd.json?preview=1')).json()).toMatchObject({
      format: 'text',
      rows: [{ line: '{"a":' }],
      fault: expect.stringMatching(/^as json: /),
    })
    const wide = `id,text\n${Array.from({ length: 3_000 }, (_, i) => `${i},${'y'.repeat(1_000)}`).join('\n')}\n`
    writeFileSync(join(root, 'large.csv'), wide)
    const preview = await jsonOf<DataPreview>(await ask('GET', '/api/data/large.csv?preview=1000'))
    expect([preview.rows.length, preview.rows.at(-1)?.id, preview.complete]).toEqual([1000, '999', false])
    expect(await codeOf(await ask('GET', '/api/data/a.csv?preview=0'))).toBe('422 invalid')
  })
})

describe('a path that leads elsewhere', () => {
  it.each(['GET', 'PUT', 'DELETE'])('is refused for %s: links, folders and files out of place', async method => {
    const secret = join(base, `secret-${method}`)
    mkdirSync(secret)
    writeFileSync(join(secret, 'x.csv'), 'secret\n')
    symlinkSync(secret, join(root, 'linked'))
    symlinkSync(join(secret, 'x.csv'), join(root, 'link.csv'))
    mkdirSync(join(root, 'folder.csv'))
    writeFileSync(join(root, 'file'), '')
    const options = method === 'PUT' ? { body: 'overwritten' } : {}
    for (const path of ['linked/x.csv', 'link.csv', 'folder.csv', 'file/x.csv']) {
      const response = await ask(method, `/api/data/${path}`, options)
      expect([path, response.status]).toEqual([path, 403])
    }
    for (const path of [
      '..%2Fx.csv',
      '%2e%2e%2fx.csv',
      'a%00.csv',
      'a%5Cb.csv',
      '/etc/x.csv',
      '.git%2Fconfig',
      'x.ts',
    ]) {
      const response = await ask(method, `/api/data/${path}`, options)
      expect([path, response.status]).toEqual([path, 422])
    }
    expect(readFileSync(join(secret, 'x.csv'), 'utf8')).toBe('secret\n')
    expect(readdirSync(secret)).toEqual(['x.csv'])
  })

  it('is refused where only case or the form of its characters differs from what is there', async () => {
    expect((await ask('PUT', '/api/data/Users.csv', { body: 'a' })).status).toBe(201)
    expect(await codeOf(await ask('PUT', '/api/data/users.CSV', { body: 'b' }))).toBe('409 conflict')
    expect((await ask('PUT', '/api/data/u%CC%88.csv', { body: 'a' })).status).toBe(201)
    expect((await ask('PUT', '/api/data/%C3%BC.csv', { body: 'b' })).status).toBe(200)
    expect(readdirSync(root).sort()).toEqual(['Users.csv', 'ü.csv'])
  })

  it('is neither listed nor followed when it is a link', async () => {
    symlinkSync('/etc', join(root, 'etc'))
    symlinkSync('/etc/hostname', join(root, 'a.csv'))
    writeFileSync(join(root, 'run.ts'), '')
    writeFileSync(join(root, '.env'), '')
    writeFileSync(join(root, 'b.csv'), '')
    expect((await jsonOf<DataFile[]>(await ask('GET', '/api/data'))).map(file => file.path)).toEqual(['b.csv'])
  })

  it.each(['GET', 'PUT', 'DELETE'])('is refused for %s where the service keeps its own files', async method => {
    const secret = join(root, 'fleet/redis/appendonly.aof')
    mkdirSync(join(root, 'fleet/redis'), { recursive: true })
    writeFileSync(secret, 'secret')
    writeFileSync(join(root, 'users.csv'), '')
    for (const path of ['fleet/redis/appendonly.aof', 'fleet/new.csv', 'fleet']) {
      const body = method === 'PUT' ? { body: 'x' } : {}
      expect(await codeOf(await ask(method, `/api/data/${path}`, body))).toBe('403 forbidden')
    }
    expect(readFileSync(secret, 'utf8')).toBe('secret')
    expect(readdirSync(join(root, 'fleet'))).toEqual(['redis'])
    expect((await jsonOf<DataFile[]>(await ask('GET', '/api/data'))).map(file => file.path)).toEqual(['users.csv'])
  })
})

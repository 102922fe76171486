import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { beforeAll, expect, it } from 'vitest'
import { answerLog, rangeOf } from './log-answer.ts'
import { findLog } from './shard-log.ts'

const text = Array.from({ length: 1000 }, (_, i) => `{"second":${i}}\n`).join('')
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onrush-log-'))
  await writeFile(join(folder, 'run-1.ndjson'), text)
  await writeFile(join(folder, 'empty.ndjson'), '')
  await writeFile(join(folder, '..', 'onrush-secret.ndjson'), 'a stranger should not read this')
})

const ask = (id: string, headers: Record<string, string> = {}) => {
  const app = new Hono()
  app.get('/:id', async c => {
    const log = await findLog(folder, c.req.param('id'))
    return log === undefined ? c.notFound() : answerLog(c, log)
  })
  return app.request(`/${id}`, { headers })
}

it('answers the whole log, with its length', async () => {
  const answer = await ask('run-1')
  expect(answer.headers.get('content-length')).toBe(String(text.length))
  expect(await answer.text()).toBe(text)
})

it('answers it compressed to who reads gzip', async () => {
  const answer = await ask('run-1', { 'accept-encoding': 'gzip, br' })
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(gunzipSync(Buffer.from(await answer.arrayBuffer())).toString()).toBe(text)
})

it.each([
  ['bytes=0-9', 0, 9],
  ['bytes=100-', 100, text.length - 1],
  ['bytes=-10', text.length - 10, text.length - 1],
  ['bytes=0-99999999', 0, text.length - 1],
])('answers the range %s', async (range, from, to) => {
  const answer = await ask('run-1', { range })
  expect([answer.status, answer.headers.get('content-range')]).toEqual([206, `bytes ${from}-${to}/${text.length}`])
  expect(await answer.text()).toBe(text.slice(from, to + 1))
})

it('refuses a range that lies behind the end, and ignores what is none', async () => {
  const answer = await ask('run-1', { range: `bytes=${text.length}-` })
  expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${text.length}`])
  expect(['bytes=', 'lines=0-1', 'bytes=0-1,5-6', undefined].map(range => rangeOf(range, 10))).toEqual(
    Array(4).fill('whole'),
  )
})

it('answers a log that is still empty', async () => {
  expect(await (await ask('empty')).text()).toBe('')
})

it.each([
  '..%2Fonrush-secret',
  '%2e%2e%2fonrush-secret',
  'run-1.ndjson',
  'run-1%00',
  'RUN-1',
  '%2Fetc%2Fpasswd',
  'nobody',
])('finds nothing under %s', async id => {
  expect((await ask(id)).status).toBe(404)
})

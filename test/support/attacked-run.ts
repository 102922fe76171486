import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { bomb, closedAfter, floodBody, openSockets, pathTricks, raw, rawStatus, slowLoris } from './attacks.ts'
import { ask, isBalanced, reportOf, type Service, start, until } from './fleet.ts'
import type { FuzzedFleet } from './fuzzed-fleet.ts'

export interface Strength {
  readonly bodyMb: number
  readonly bombMb: number
  readonly sockets: number
  readonly loris: number
}

export async function residentMb({ child }: Service): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024
}

const alive = async (service: Service): Promise<void> => {
  expect((await ask(service, 'GET', '/healthz')).status).toBe(200)
  expect(service.child.exitCode).toBeNull()
}

const secretOfHost = /root:.*:0:0:|"workspaces"|\[core\]/

/** Frames that no client sends: not masked, not whole, too large, of kinds that there are not. */
const noise: readonly Buffer[] = [
  Buffer.from([0x81, 0x05, 0x68, 0x65, 0x6c, 0x6c, 0x6f]),
  Buffer.from([0x8f, 0x80, 0, 0, 0, 0]),
  Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
  Buffer.concat([Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0]), Buffer.alloc(131_072)]),
  Buffer.from('GET / HTTP/1.1\r\n\r\n'),
]

/** Each attack on a service; nothing here may make it fail, hang, grow or tell what it should not. */
export async function attack(service: Service, runId: string, strength: Strength): Promise<string[]> {
  const figures: string[] = []
  const { url } = service
  const isReporter = service.id.startsWith('r')
  const before = await residentMb(service)

  const places = isReporter
    ? ['/report/', `/report/${runId}/`, '/api/job/', '/api/data/', '/api/content/', '/assets/', '/queues/static/', '/']
    : ['/api/engine/simulation/', '/']
  for (const place of places) {
    for (const trick of pathTricks) {
      const { status, answer } = await rawStatus(url, place + trick)
      const label = `${place}${trick.slice(0, 60)}: ${answer.slice(0, 200)}`
      expect(answer, label).not.toMatch(secretOfHost)
      // A path that leads back to a page of ours is that page; whatever else is refused.
      expect(status === 200 || status === 302 || (status >= 400 && status < 500), label).toBe(true)
    }
  }

  const start = isReporter ? '/api/single' : '/api/engine/single'
  const bytes = strength.bodyMb * 1_048_576
  const declared = await floodBody(url, start, bytes, true)
  const chunked = await floodBody(url, start, bytes, false)
  figures.push(
    `${service.id}: a body of ${strength.bodyMb} MB: ${declared.status} after ${mb(declared.sent)} MB declared, ${chunked.status} after ${mb(chunked.sent)} MB in chunks`,
  )
  for (const { status, sent } of [declared, chunked]) {
    expect([413, 0]).toContain(status)
    expect(sent).toBeLessThan(64 * 1_048_576)
  }
  const unread = await floodBody(url, '/api/logout', bytes, false)
  figures.push(`${service.id}: the same to a call that reads none: ${unread.status} after ${mb(unread.sent)} MB`)

  const zipped = await bomb(strength.bombMb * 1_048_576)
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const refused = await fetch(url + start, { method: 'POST', headers, body: new Uint8Array(zipped) })
  expect([400, 413]).toContain(refused.status)
  await refused.body?.cancel()

  const long = await raw(url, `GET /healthz HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(100_000)}\r\n\r\n`)
  const many = await raw(
    url,
    `GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n${Array.from({ length: 5_000 }, (_, i) => `h${i}: x\r\n`).join('')}\r\n`,
  )
  expect([long, many].map(answer => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'closed')).toEqual(
    expect.arrayContaining(['431']),
  )
  expect(many).not.toMatch(/^HTTP\/1\.1 5/)
  for (const bad of [
    'GET\r\n\r\n',
    '\u0000\u0001\u0002',
    'GET / HTTP/9.9\r\n\r\n',
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ]) {
    expect(await raw(url, bad, 3_000)).not.toMatch(/^HTTP\/1\.1 [25]/)
  }

  const path = isReporter ? `/api/job/${runId}/monitor` : '/api/engine/monitor'
  const opened = await openSockets(url, path, strength.sockets)
  figures.push(
    `${service.id}: ${strength.sockets} websockets: ${opened.open} opened, ${opened.refused} refused, ${opened.failed} not answered`,
  )
  expect(opened.open).toBeLessThanOrEqual(isReporter ? 500 : 100)
  expect(opened.open).toBeGreaterThan(0)
  await alive(service)
  await opened.close()
  // Once it has seen that they have gone; hundreds of handshakes may take a busy machine minutes.
  const openAgain = async () => {
    const { open, refused, failed, close } = await openSockets(url, path, 5)
    await close()
    return { open, refused, failed }
  }
  await expect.poll(openAgain, { message: service.id, timeout: 240_000 }).toEqual({ open: 5, refused: 0, failed: 0 })

  for (const message of noise) expect(await closedAfter(url, path, message), message.toString('hex', 0, 16)).toBe(true)
  await alive(service)

  const seconds = (await slowLoris(url, strength.loris, 90_000)) / 1_000
  figures.push(`${service.id}: ${strength.loris} clients that dawdle were closed after ${seconds.toFixed(1)} s`)
  expect(seconds).toBeLessThan(90)
  await alive(service)
  const after = await residentMb(service)
  figures.push(`${service.id}: ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`)
  expect(after).toBeLessThan(before + 250)
  expect(service.log()).not.toMatch(/"level":"error"[^\n]*a request failed/)
  return figures
}

const mb = (bytes: number): string => (bytes / 1_048_576).toFixed(0)

/** All attacks on both services while a run goes on, which must lose no count. */
export async function attackDuringRun(fleet: FuzzedFleet, strength: Strength): Promise<string[]> {
  const reporter = fleet.service('r1')
  const request = { name: 'attacked', url: `${fleet.target.url}/json`, rate: 100, duration: '5m', thresholds: {} }
  const { runId } = await start(reporter, '/api/single', request)
  await until(reporter, runId, ({ status }) => status === 'running')
  const figures = [
    ...(await attack(reporter, runId, strength)),
    ...(await attack(fleet.service('w1'), runId, strength)),
  ]
  figures.push(...(await csvBomb(reporter)))
  expect((await ask(reporter, 'POST', '/api/stop', { runId })).status).toBe(202)
  await until(reporter, runId, ({ status }) => status === 'stopped')
  const report = await reportOf(reporter, runId)
  expect(isBalanced(report)).toBe(true)
  const { completed } = await fleet.target.stats()
  figures.push(`the run: ${report.totals.requests} requests counted here, ${completed} at the target`)
  expect(report.totals.requests).toBe(completed)
  expect(report.totals.failed).toBe(0)
  expect(report.totals.missed).toBe(0)
  return figures
}

/** Files that are something else than their names say, or that would take all memory to read. */
async function csvBomb(reporter: Service): Promise<string[]> {
  const before = await residentMb(reporter)
  const bombs: [string, string | Uint8Array][] = [
    ['one-line.csv', 'x'.repeat(30 * 1_048_576)],
    ['columns.csv', `${'a,'.repeat(500_000)}b\n${'1,'.repeat(500_000)}2\n`],
    ['quotes.csv', '"'.repeat(5 * 1_048_576)],
    ['zip.csv', new Uint8Array(await bomb(100 * 1_048_576))],
    ['deep.json', '['.repeat(2_000_000)],
    ['lines.jsonl', '{}\n'.repeat(500_000)],
  ]
  for (const [name, content] of bombs) {
    const put = await fetch(`${reporter.url}/api/data/${name}`, { method: 'PUT', body: content })
    expect([200, 201, 413], name).toContain(put.status)
    const preview = await fetch(`${reporter.url}/api/data/${name}?preview=1000`)
    const text = await preview.text()
    expect(preview.status, `${name}: ${text.slice(0, 200)}`).toBeLessThan(500)
    expect(text.length, name).toBeLessThan(16 * 1_048_576)
  }
  const after = await residentMb(reporter)
  expect(after).toBeLessThan(before + 300)
  return [`r1: previews of data bombs: ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`]
}

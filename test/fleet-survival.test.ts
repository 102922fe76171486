import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '@onrush/protocol/job'
import type { NodeRecord } from '@onrush/protocol/node'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, ended, Fleet, isBalanced, jobOf, reportOf, start, until, watch } from './support/fleet.ts'

/** Two cores may be too busy for the generator to keep up; then it says so, and that is no fault of the fleet. */
const judged = /^(passed|invalid)$/
const callbackKey = 'a key that the receiver knows'
let fleet: Fleet
beforeAll(async () => {
  fleet = await Fleet.start({ reporters: 2, workers: 3, env: { ONRUSH_CALLBACK_KEY: callbackKey } })
})
afterAll(() => fleet?.stop())

const reporter = () => fleet.service('r1')
const other = () => fleet.service('r2')
const all = ['w1', 'w2', 'w3']
const load = (seconds: number, more: object = {}) => ({
  url: `${fleet.target.url}/json`,
  rate: 60,
  duration: `${seconds}s`,
  workers: all,
  ...more,
})
const running = (runId: string, requests = 1) =>
  until(reporter(), runId, job => (job.totals?.requests ?? 0) >= requests)

const states = () =>
  Promise.all(
    all.map(async id => (await ask<{ state: string }>(fleet.service(id), 'GET', '/api/engine/status')).body.state),
  )
const idle = ['idle', 'idle', 'idle']

/** Each case begins with a whole fleet. */
beforeEach(async () => {
  const ended = all.filter(id => !fleet.service(id).alive)
  await Promise.all(ended.map(id => fleet.worker(id)))
  const known = async () => (await ask<NodeRecord[]>(reporter(), 'GET', '/api/workers')).body.map(({ id }) => id)
  await expect.poll(known).toEqual(all)
}, 120_000)

describe('a worker that is killed', () => {
  it('is named, keeps what it had counted, and the run ends on time', async () => {
    const { runId } = await start(reporter(), '/api/single', load(20))
    await running(runId, 60)
    const before = (await jobOf(reporter(), runId)).totals?.requests ?? 0
    await fleet.service('w2').kill()
    const seen = await until(reporter(), runId, job => job.workers.some(({ status }) => status === 'lost'))
    expect(seen.status).toBe('running')
    const job = await ended(reporter(), runId)
    expect(job.status).toBe('finished')
    expect(job.workers.map(({ id, status }) => [id, status])).toEqual([
      ['w1', 'finished'],
      ['w2', 'lost'],
      ['w3', 'finished'],
    ])
    const report = await reportOf(reporter(), runId)
    expect(report.totals).toMatchObject({ planned: 1200, dropped: 0, cancelled: 0 })
    expect(report.totals.missed).toBeGreaterThan(0)
    expect(report.totals.requests).toBeGreaterThanOrEqual(before)
    expect(isBalanced(report)).toBe(true)
    const lost = report.workers.find(({ id }) => id === 'w2')
    expect(lost?.requests).toBeGreaterThan(0)
    expect(lost).toMatchObject({
      status: 'lost',
      lost: { takenOver: false },
      error: expect.stringContaining('no sign of life'),
    })
    // Its first second, and a frame may close a moment before the second is over.
    expect(lost?.lost?.at).toBeGreaterThan(500)
    expect(report.notes.join()).toContain('w2: it was lost')
    const { body } = await ask<NodeRecord[]>(reporter(), 'GET', '/api/workers')
    expect(body.map(({ id }) => id)).toEqual(['w1', 'w3'])
  })

  it('fails the run where that was asked for', async () => {
    const { runId } = await start(reporter(), '/api/single', load(60, { onWorkerLoss: 'fail' }))
    await running(runId)
    await fleet.service('w3').kill()
    const job = await ended(reporter(), runId)
    expect([job.status, job.error]).toEqual(['failed', expect.stringContaining('worker w3 was lost')])
    const report = await reportOf(reporter(), runId)
    expect(isBalanced(report)).toBe(true)
    expect(report.workers.map(({ status }) => status)).toEqual(['stopped', 'stopped', 'lost'])
  })

  it('and begins anew at once under its name does not leave its run waiting', async () => {
    const { runId } = await start(reporter(), '/api/single', load(6))
    await running(runId)
    await fleet.service('w1').kill()
    await fleet.worker('w1')
    const job = await ended(reporter(), runId)
    expect([job.status, job.workers[0]?.status]).toEqual(['finished', 'lost'])
    expect(isBalanced(await reportOf(reporter(), runId))).toBe(true)
  })
})

describe('a reporter that is killed', () => {
  it('is followed by another, which builds the report; one that comes back finds it there', async () => {
    const { runId } = await start(reporter(), '/api/single', load(6))
    await running(runId)
    await reporter().kill()
    const job = await ended(other(), runId)
    expect(job.status).toBe('finished')
    await fleet.reporter('r1', { ONRUSH_CALLBACK_KEY: callbackKey })
    const report = await reportOf(reporter(), runId)
    expect([report.totals.requests, isBalanced(report)]).toEqual([360, true])
    expect(report.notes).toEqual([])
  })

  it('finds, alone and begun anew, what ended meanwhile', async () => {
    await other().stop()
    const { runId } = await start(reporter(), '/api/single', load(3))
    await running(runId)
    await reporter().kill()
    await expect.poll(states).toEqual(idle)
    await fleet.reporter('r1', { ONRUSH_CALLBACK_KEY: callbackKey })
    expect((await ended(reporter(), runId)).status).toBe('finished')
    expect((await reportOf(reporter(), runId)).totals.requests).toBe(180)
    await fleet.reporter('r2', { ONRUSH_CALLBACK_KEY: callbackKey })
  })
})

describe('two reporters', () => {
  it('list, watch, stop and report what the other started', async () => {
    const { runId, links } = await start(reporter(), '/api/single', load(60))
    await running(runId)
    const { body } = await ask<Job[]>(other(), 'GET', '/api/jobs')
    expect(body.map(job => job.runId)).toEqual([runId])
    const seen = [watch(reporter(), links.monitor), watch(other(), links.monitor)]
    for (const { messages } of seen) await expect.poll(() => messages.some(({ type }) => type === 'second')).toBe(true)
    expect((await ask(other(), 'DELETE', `/api/job/${runId}`)).status).toBe(202)
    const job = await ended(other(), runId)
    expect(job.status).toBe('stopped')
    for (const { messages, closed } of seen) {
      expect(await closed).toBe(1000)
      expect(messages[0]).toMatchObject({ type: 'snapshot', job: { status: 'running' } })
      expect(messages.filter(({ type }) => type === 'second').length).toBeGreaterThan(0)
      expect(messages.at(-1)).toMatchObject({ type: 'state', job: { status: 'stopped' } })
    }
    const reports = await Promise.all([reportOf(reporter(), runId), reportOf(other(), runId)])
    expect(reports[0]).toEqual(reports[1])
    const { body: nodes } = await ask<NodeRecord[]>(other(), 'GET', '/api/reporters?list=nodes')
    expect(nodes.map(({ id }) => id)).toEqual(['r1', 'r2'])
  })
})

describe('a stop', () => {
  it('reaches all workers, lets sessions end, and balances the books', async () => {
    const { runId } = await start(reporter(), '/api/single', load(60, { url: `${fleet.target.url}/delay/300` }))
    await running(runId)
    await ask(reporter(), 'POST', '/api/stop', { runId })
    // Well before a minute is over, which is how long they would go on.
    await expect.poll(states, { timeout: 30_000 }).not.toContain('running')
    const job = await ended(reporter(), runId)
    expect(job.status).toBe('stopped')
    const { totals, stopped } = await reportOf(reporter(), runId)
    expect(stopped?.reason).toBe('stopped over /api/stop')
    expect(totals.planned).toBe(3600)
    expect(totals.cancelled).toBeGreaterThan(0)
    expect(totals.interrupted).toBe(0)
    expect(totals.planned).toBe(totals.started + totals.cancelled)
  })
})

describe('Redis', () => {
  it('is killed for five seconds: the run goes on, and every count is there', async () => {
    await fleet.target.resetStats()
    const { runId } = await start(reporter(), '/api/single', load(12))
    await running(runId, 60)
    await fleet.redis.kill()
    await sleep(5_000)
    const away = await ask<{ code: string }>(reporter(), 'GET', '/api/jobs')
    expect([away.status, away.body.code]).toEqual([503, 'unavailable'])
    await fleet.redis.restart()
    await expect.poll(async () => (await ask(reporter(), 'GET', '/api/jobs')).status).toBe(200)
    const job = await ended(reporter(), runId)
    expect(job).toMatchObject({ status: 'finished', workers: all.map(id => ({ id, status: 'finished' })) })
    const report = await reportOf(reporter(), runId)
    expect([report.totals.requests, isBalanced(report)]).toEqual([720, true])
    expect((await fleet.target.stats()).responses).toEqual({ 'GET /json 200': 720 })
  })
})

describe('a Redis that forgets everything', () => {
  it('ends the run on its workers, and its reporter marks it and keeps what it saw', async () => {
    const { runId } = await start(reporter(), '/api/single', load(60))
    await running(runId, 120)
    await fleet.redis.kill()
    await rm(join(fleet.folder, 'redis/appendonlydir'), { recursive: true })
    await fleet.redis.restart()
    await expect.poll(states, { timeout: 120_000 }).toEqual(idle)
    const known = async () => (await ask(reporter(), 'GET', `/api/job/${runId}`)).status === 200
    while (!(await known())) await sleep(200)
    const job = await ended(reporter(), runId)
    expect([job.status, job.error]).toEqual(['failed', expect.stringContaining('interrupted: Redis lost the run')])
    // The reporter that followed the run has what was seen of it; which of the two that is nobody knows.
    const path = `/report/${runId}/report.json`
    while ((await ask(reporter(), 'GET', path)).status !== 200) await sleep(200)
    expect((await reportOf(reporter(), runId)).totals.requests).toBeGreaterThanOrEqual(120)
    const next = await start(reporter(), '/api/single', load(1))
    expect((await ended(reporter(), next.runId)).status).toBe('finished')
  })
})

describe('a client of the monitor that stops reading', () => {
  it('is cut off, and takes nothing from those that read', async () => {
    // A verbose run with large bodies says megabytes a second: more than any buffer between two processes holds.
    const { runId, links } = await start(reporter(), '/api/single', {
      ...load(120),
      url: `${fleet.target.url}/echo`,
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'x'.repeat(15_000),
      verbose: true,
    })
    await running(runId)
    const watchers = async () => {
      const { body } = await ask<string>(reporter(), 'GET', '/metrics')
      return Number(/^onrush_monitor_clients\{[^}]*\} (\d+)/m.exec(body)?.[1])
    }
    const port = Number(new URL(reporter().url).port)
    const stalled = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const socket = connect(port, '127.0.0.1')
        await once(socket, 'connect')
        socket.on('error', () => undefined).pause()
        socket.write(
          `GET ${links.monitor} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
        )
        return socket
      }),
    )
    const reader = watch(reporter(), links.monitor)
    while ((await watchers()) < 6) await sleep(50)
    while ((await watchers()) > 1) await sleep(200)
    expect((await jobOf(reporter(), runId)).status).toBe('running')
    await ask(reporter(), 'DELETE', `/api/job/${runId}`)
    await ended(reporter(), runId)
    expect(await reader.closed).toBe(1000)
    const seconds = reader.messages.filter(({ type }) => type === 'second')
    expect(seconds.length).toBeGreaterThan(2)
    expect(reader.messages.some(({ type }) => type === 'trace')).toBe(true)
    expect(reader.messages.at(-1)).toMatchObject({ type: 'state', job: { status: 'stopped' } })
    for (const socket of stalled) socket.destroy()
    const { body } = await ask<string>(reporter(), 'GET', '/metrics')
    const resident = Number(/^onrush_process_resident_bytes\{[^}]*\} (\d+)/m.exec(body)?.[1])
    expect(resident).toBeLessThan(800e6)
  })
})

describe('a callback', () => {
  it('tells the end, signed, and comes again until it is taken', async () => {
    const calls: { body: string; signature: string; timestamp: string }[] = []
    const taken = Promise.withResolvers<void>()
    const server = createServer(async (request, response) => {
      const { 'x-onrush-signature': signature = '', 'x-onrush-timestamp': timestamp = '' } = request.headers
      calls.push({ body: await text(request), signature: String(signature), timestamp: String(timestamp) })
      response.writeHead(calls.length < 2 ? 503 : 204).end()
      if (calls.length >= 2) taken.resolve()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { runId } = await start(
      reporter(),
      '/api/single',
      load(1, { callback: `http://127.0.0.1:${port}/done`, ext: { pipeline: 9 } }),
    )
    await ended(reporter(), runId)
    await taken.promise
    server.close()
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
    const [{ body, signature, timestamp } = { body: '', signature: '', timestamp: '' }] = calls
    expect(JSON.parse(body)).toMatchObject({
      runId,
      status: 'finished',
      verdict: expect.stringMatching(judged),
      totals: { requests: 60 },
      summary: { count: 60 },
      ext: { pipeline: 9 },
    })
    expect(signature).toBe(`sha256=${createHmac('sha256', callbackKey).update(`${timestamp}.${body}`).digest('hex')}`)
  })
})

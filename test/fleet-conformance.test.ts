import { EngineStatus, EngineStopAnswer } from '@onrush/protocol/engine-status'
import { Job, Started } from '@onrush/protocol/job'
import { JobMonitorMessage } from '@onrush/protocol/job-monitor'
import { CompilerMessage, EngineMonitorMessage } from '@onrush/protocol/monitor'
import { NodeRecord } from '@onrush/protocol/node'
import { Problem } from '@onrush/protocol/problem'
import { Report } from '@onrush/protocol/report'
import { ScheduleEntry } from '@onrush/protocol/schedule-entry'
import { CompileOutcome, SimulationEntry } from '@onrush/protocol/simulation-entry'
import { ReportAnswer, Reporters, StopAnswer, StoredReport } from '@onrush/protocol/stored-report'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ask, ended, Fleet, isBalanced, reportOf, start, until, watch } from './support/fleet.ts'

let fleet: Fleet
let target: string
/** A run that has ended, for what is asked about one. */
let past: string

beforeAll(async () => {
  fleet = await Fleet.start({ workers: 2 })
  target = fleet.target.url
  const { runId } = await start(reporter(), '/api/single', { name: 'past', ...quick(), workers: ['w1'] })
  past = runId
  await ended(reporter(), past)
})
afterAll(() => fleet?.stop())

const reporter = () => fleet.service('r1')
const worker = () => fleet.service('w1')
const quick = () => ({ url: `${target}/json`, rate: 20, duration: '1s' })
const long = () => ({ url: `${target}/json`, rate: 20, duration: '60s' })
const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

/** Runs nobody looks at any more must not hold the workers that the next case needs. */
async function stopAll(): Promise<void> {
  const { body } = await ask<StopAnswer>(reporter(), 'POST', '/api/stop', { all: true })
  for (const runId of body.runs) await ended(reporter(), runId)
}

type Case = readonly [
  what: string,
  method: string,
  path: () => string,
  body: (() => unknown) | undefined,
  status: number,
]

describe('what answers with a resource', () => {
  const cases: readonly (readonly [...Case, shape: z.ZodType])[] = [
    ['the runs that have not ended', 'GET', () => '/api/jobs', undefined, 200, z.array(Job)],
    ['a run', 'GET', () => `/api/job/${past}`, undefined, 200, Job],
    ['reports and reporters', 'GET', () => '/api/reporters', undefined, 200, Reporters],
    ['reports alone', 'GET', () => '/api/reporters?list=reports', undefined, 200, z.array(StoredReport).min(1)],
    ['reporters alone', 'GET', () => '/api/reporters?list=nodes', undefined, 200, z.array(NodeRecord).length(1)],
    ['workers', 'GET', () => '/api/workers', undefined, 200, z.array(NodeRecord).length(2)],
    ['simulations', 'GET', () => '/api/simulations', undefined, 200, z.array(SimulationEntry).length(2)],
    ['a compile', 'POST', () => '/api/compile', () => ({}), 200, CompileOutcome],
    ['a compile with workers', 'POST', () => '/api/compile', () => ({ workers: 'all' }), 200, CompileOutcome],
    ['a stop of all, of which there are none', 'POST', () => '/api/stop', () => ({ all: true }), 202, StopAnswer],
    ['a stop of an idle worker', 'POST', () => '/api/stop', () => ({ workers: ['w1'] }), 202, StopAnswer],
    ['links to a report', 'GET', () => `/report/${past}`, undefined, 200, ReportAnswer],
    [
      'a new schedule',
      'POST',
      () => '/api/schedules',
      () => ({ id: 'nightly', cron: '0 3 * * *', single: quick() }),
      201,
      ScheduleEntry,
    ],
    ['schedules', 'GET', () => '/api/schedules', undefined, 200, z.array(ScheduleEntry).length(1)],
    ['a schedule that goes', 'DELETE', () => '/api/schedules/nightly', undefined, 204, z.literal('')],
    ['health', 'GET', () => '/healthz', undefined, 200, z.object({ status: z.literal('ok') })],
    ['figures', 'GET', () => '/metrics', undefined, 200, z.string().regex(/^onrush_workers_alive\{node="r1"\} 2$/m)],
    ['the queues', 'GET', () => '/queues', undefined, 200, z.string().regex(/<div id="root">/)],
    [
      'the queues as JSON',
      'GET',
      () => '/queues/api/queues',
      undefined,
      200,
      z.object({ queues: z.array(z.object({ name: z.string(), readOnlyMode: z.literal(true) })).min(3) }),
    ],
  ]
  it.each(cases)('reporter: %s: %s', async (_, method, path, body, status, shape) => {
    const answer = await ask(reporter(), method, path(), body?.())
    expect([answer.status, shape.safeParse(answer.body).error?.message]).toEqual([status, undefined])
  })

  const workerCases: readonly (readonly [...Case, shape: z.ZodType])[] = [
    ['its status', 'GET', () => '/api/engine/status', undefined, 200, EngineStatus],
    ['a stop where nothing runs', 'GET', () => '/api/engine/stop', undefined, 200, EngineStopAnswer],
    ['a compile of its own folder', 'POST', () => '/api/engine/compile', () => ({}), 200, CompileOutcome],
    ['the log of a run', 'GET', () => `/api/engine/simulation/${past}`, undefined, 200, z.string().or(z.unknown())],
    ['health', 'GET', () => '/healthz', undefined, 200, z.object({ status: z.literal('ok') })],
    ['figures', 'GET', () => '/metrics', undefined, 200, z.string().regex(/state="idle"\} 1$/m)],
  ]
  it.each(workerCases)('worker: %s: %s', async (_, method, path, body, status, shape) => {
    const response = await fetch(`${worker().url}${path()}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body()), headers: { 'content-type': 'application/json' } }),
    })
    const text = await response.text()
    const json = /\/json\b/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text
    expect([response.status, shape.safeParse(json).error?.message]).toEqual([status, undefined])
  })
})

describe('what is refused', () => {
  const cases: readonly (readonly [...Case, code: string, place?: string])[] = [
    ['a run that never was', 'GET', () => '/api/job/nobody', undefined, 404, 'not_found'],
    ['a run whose id is none', 'GET', () => '/api/job/..%2fsecret', undefined, 404, 'not_found'],
    ['stopping a run that is over', 'DELETE', () => `/api/job/${past}`, undefined, 409, 'conflict'],
    ['stopping a run that never was', 'DELETE', () => '/api/job/nobody', undefined, 404, 'not_found'],
    ['a third list', 'GET', () => '/api/reporters?list=all', undefined, 422, 'invalid', '?list'],
    ['a stop of nothing in particular', 'POST', () => '/api/stop', () => ({}), 422, 'invalid', '$'],
    ['a stop of a worker that is not', 'POST', () => '/api/stop', () => ({ workers: ['w9'] }), 404, 'not_found'],
    ['a compile on a worker that is not', 'POST', () => '/api/compile', () => ({ workers: ['w9'] }), 404, 'not_found'],
    [
      'a HEAD that would start',
      'HEAD',
      () => `/api/single?${query({ url: target, rate: '1', duration: '1s' })}`,
      undefined,
      405,
      '',
    ],
    [
      'a query without a load',
      'GET',
      () => `/api/single?${query({ url: target })}`,
      undefined,
      422,
      'invalid',
      '?inject',
    ],
    [
      'a parameter that is none',
      'GET',
      () => `/api/single?${query({ url: target, rat: '1' })}`,
      undefined,
      422,
      'invalid',
      '?rat',
    ],
    ['a body that is no JSON', 'POST', () => '/api/single', () => '{', 400, 'malformed'],
    [
      'a field that is none',
      'POST',
      () => '/api/single',
      () => ({ ...quick(), metod: 'GET' }),
      422,
      'invalid',
      '$.metod',
    ],
    [
      'an "ext" that is too large',
      'POST',
      () => '/api/single',
      () => ({ ...quick(), ext: 'x'.repeat(70_000) }),
      413,
      'too_large',
    ],
    [
      'what is not there yet',
      'POST',
      () => '/api/single',
      () => ({ ...quick(), onWorkerLoss: 'redistribute' }),
      422,
      'invalid',
      '$.onWorkerLoss',
    ],
    [
      'weights of others',
      'POST',
      () => '/api/single',
      () => ({ ...quick(), workers: ['w1'], weights: { w2: 1 } }),
      422,
      'invalid',
      '$.weights.w2',
    ],
    [
      'a threshold on no step',
      'POST',
      () => '/api/single',
      () => ({ ...quick(), thresholds: { 'duration{step:x}': ['max<1'] } }),
      422,
      'invalid',
      '$.thresholds["duration{step:x}"]',
    ],
    [
      'a simulation that is not there',
      'POST',
      () => '/api/simulation',
      () => ({ simulation: 'nowhere' }),
      404,
      'not_found',
    ],
    [
      'a simulation that is broken',
      'POST',
      () => '/api/simulation',
      () => ({ simulation: 'broken' }),
      422,
      'script_error',
    ],
    [
      'an environment it does not have',
      'POST',
      () => '/api/simulation',
      () => ({ simulation: 'checkout', environment: 'prod' }),
      422,
      'invalid',
      '$.environment',
    ],
    [
      'an inline spec with a fault',
      'POST',
      () => '/api/simulation',
      () => ({ simulation: { scenarios: [] } }),
      422,
      'invalid',
      '$.simulation.scenarios',
    ],
    ['a report of no run', 'GET', () => '/report/nobody', undefined, 404, 'not_found'],
    ['a file that no report has', 'GET', () => `/report/${past}/passwd`, undefined, 404, 'not_found'],
    ['a way out of the folder', 'GET', () => `/report/${past}/..%2f..%2freport.json`, undefined, 404, 'not_found'],
    [
      'a schedule without a time',
      'POST',
      () => '/api/schedules',
      () => ({ id: 'x', single: quick() }),
      422,
      'invalid',
      '$',
    ],
    [
      'a schedule with a wrong cron',
      'POST',
      () => '/api/schedules',
      () => ({ id: 'x', cron: 'every day!', single: quick() }),
      422,
      'invalid',
      '$.cron',
    ],
    [
      'a schedule in a wrong timezone',
      'POST',
      () => '/api/schedules',
      () => ({ id: 'x', cron: '0 3 * * *', timezone: 'Mars/Olympus', single: quick() }),
      422,
      'invalid',
      '$.timezone',
    ],
    [
      'a schedule of a simulation that is not',
      'POST',
      () => '/api/schedules',
      () => ({ id: 'x', cron: '0 3 * * *', simulation: { simulation: 'no-such' } }),
      404,
      'not_found',
    ],
    ['removing a schedule that is not', 'DELETE', () => '/api/schedules/nobody', undefined, 404, 'not_found'],
    ['a path that is not', 'GET', () => '/api/nothing', undefined, 404, 'not_found'],
  ]
  for (const [what, method, path, body, status, code, place] of cases) {
    it(`reporter: ${what}: ${method}`, async () => {
      const answer = await ask(reporter(), method, path(), body?.())
      expect(answer.status).toBe(status)
      if (method === 'HEAD') return
      expect(answer.type).toContain('application/problem+json')
      const problem = Problem.parse(answer.body)
      expect(problem.code).toBe(code)
      if (place !== undefined) expect(problem.errors?.map(fault => fault.path)).toContain(place)
    })
  }

  it.each([
    ['a start from a page of another site', 'POST', '/api/single', { 'sec-fetch-site': 'cross-site' }, 403],
    [
      'a GET that starts, as a prefetch',
      'GET',
      '/api/single?url=http://x/&rate=1&duration=1s',
      { 'sec-purpose': 'prefetch' },
      403,
    ],
    ['an Idempotency-Key without end', 'POST', '/api/single', { 'idempotency-key': 'k'.repeat(300) }, 422],
  ])('reporter: %s', async (_, method, path, headers, status) => {
    const body = method === 'POST' ? quick() : undefined
    expect((await ask(reporter(), method, path, body, headers)).status).toBe(status)
  })

  it.each([['a write into a queue', 'PUT', '/queues/api/queues/runs/clean/completed', 405]])(
    'reporter: %s',
    async (_, method, path, status) => {
      expect((await ask(reporter(), method, path)).status).toBe(status)
    },
  )

  const workerCases: readonly (readonly [...Case, code: string])[] = [
    ['a HEAD that would stop', 'HEAD', () => '/api/engine/stop', undefined, 405, 'method_not_allowed'],
    ['the log of a run it had no part in', 'GET', () => '/api/engine/simulation/nobody', undefined, 404, 'not_found'],
    ['a way out of the folder', 'GET', () => '/api/engine/simulation/..%2f..%2fetc', undefined, 404, 'not_found'],
    [
      'what only a fleet can do',
      'POST',
      () => '/api/engine/single',
      () => ({ ...quick(), workers: 2 }),
      422,
      'invalid',
    ],
    ['a request without a load', 'POST', () => '/api/engine/single', () => ({ url: target }), 422, 'invalid'],
    [
      'a simulation that is not there',
      'POST',
      () => '/api/engine/simulation',
      () => ({ simulation: 'nowhere' }),
      404,
      'not_found',
    ],
  ]
  it.each(workerCases)('worker: %s: %s', async (_, method, path, body, status, code) => {
    const answer = await ask(worker(), method, path(), body?.())
    expect(answer.status).toBe(status)
    if (method !== 'HEAD') expect(Problem.parse(answer.body).code).toBe(code)
  })

  it('a websocket for a run that never was', async () => {
    expect(await watch(reporter(), '/api/job/nobody/monitor').closed).toBe(1006)
  })
})

describe('a run', () => {
  it('is started by a GET, watched, and reported', async () => {
    const path = `/api/single?${query({ url: `${target}/json`, rate: '20', duration: '2s', assert: '$.status=200', workers: 'all' })}`
    const answer = await ask(reporter(), 'GET', path)
    expect(answer.status).toBe(202)
    const { runId, links } = Started.parse(answer.body)
    const seen = watch(reporter(), links.monitor)
    const engine = watch(worker(), '/api/engine/monitor')
    expect(await ended(reporter(), runId)).toMatchObject({
      status: 'finished',
      workers: [
        { id: 'w1', status: 'finished' },
        { id: 'w2', status: 'finished' },
      ],
    })
    expect(await seen.closed).toBe(1000)
    const messages = z.array(JobMonitorMessage).parse(seen.messages)
    expect(messages[0]?.type).toBe('snapshot')
    expect(messages.at(-1)).toMatchObject({ type: 'state', job: { status: 'finished', totals: { requests: 40 } } })
    const counts = messages.flatMap(message => (message.type === 'second' ? [message.totals.requests] : []))
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(counts.at(-1)).toBeGreaterThan(0)
    const framesTold = () =>
      z
        .array(EngineMonitorMessage)
        .parse(engine.messages)
        .filter(message => message.type === 'frame').length
    await expect.poll(framesTold).toBeGreaterThan(1)

    const page = await ask<string>(reporter(), 'GET', links.report, undefined, { accept: 'text/html' })
    expect(page.body).toContain('<!doctype html>')
    const { links: files } = ReportAnswer.parse((await ask(reporter(), 'GET', links.report)).body)
    const types = ['text/html', 'application/json', 'application/xml', 'text/csv', 'application/x-ndjson']
    const got = await Promise.all(Object.values(files ?? {}).map(file => fetch(`${reporter().url}${file}`)))
    expect(got.map(file => [file.status, file.headers.get('content-type')?.split(';')[0]])).toEqual(
      types.map(type => [200, type]),
    )
    for (const file of got) await file.body?.cancel()
    const report = await reportOf(reporter(), runId)
    expect([report.totals.requests, isBalanced(report)]).toEqual([40, true])
  })

  it('of a simulation has its setup, its environment, thresholds and ext, and a failed verdict', async () => {
    const { runId } = await start(reporter(), '/api/simulation', {
      simulation: 'checkout',
      environment: 'local',
      env: { shop: target },
      thresholds: { 'duration{step:item}': ['max<0'] },
      ext: { build: 17 },
    })
    expect(await ended(reporter(), runId)).toMatchObject({
      status: 'finished',
      verdict: 'failed',
      simulation: 'checkout',
      ext: { build: 17 },
    })
    const report = await reportOf(reporter(), runId)
    expect(report.summary.whole).toMatchObject({ count: 40, ok: 40 })
    expect(report.run).toMatchObject({ ext: { build: 17 }, simulation: { source: expect.stringContaining('looker') } })
  })

  it('of an inline spec is dealt by weights', async () => {
    const spec = {
      scenarios: [
        {
          name: 'browse',
          inject: [{ type: 'atOnceUsers', users: 40 }],
          steps: [{ type: 'http', name: 'home', method: 'GET', url: `${target}/json` }],
        },
      ],
    }
    const { runId } = await start(reporter(), '/api/simulation', {
      simulation: spec,
      workers: ['w1', 'w2'],
      weights: { w1: 3, w2: 1 },
    })
    expect((await ended(reporter(), runId)).status).toBe('finished')
    const report = await reportOf(reporter(), runId)
    expect(report.workers.map(({ id, share, requests }) => [id, share, requests])).toEqual([
      ['w1', 0.75, 30],
      ['w2', 0.25, 10],
    ])
  })

  it('shows a page while it goes on, is listed, keeps its workers, and is stopped', async () => {
    const { runId, links } = await start(reporter(), '/api/single', { ...long(), workers: 2 })
    await until(reporter(), runId, job => (job.totals?.requests ?? 0) > 0)
    const page = await ask<string>(reporter(), 'GET', links.report, undefined, { accept: 'text/html' })
    expect([page.status, page.type]).toEqual([200, expect.stringContaining('text/html')])
    expect(ReportAnswer.parse((await ask(reporter(), 'GET', links.report)).body)).toEqual({ runId, status: 'running' })
    const { body: open } = await ask<Job[]>(reporter(), 'GET', '/api/jobs')
    expect(open.map(job => job.runId)).toContain(runId)
    const { body: alone } = await ask<Problem>(worker(), 'POST', '/api/engine/single', quick())
    expect(alone.code).toBe('worker_busy')
    expect((await ask(reporter(), 'DELETE', `/api/job/${runId}`)).status).toBe(202)
    const job = await ended(reporter(), runId)
    expect([job.status, job.workers.map(({ status }) => status)]).toEqual(['stopped', ['stopped', 'stopped']])
    expect(isBalanced(await reportOf(reporter(), runId))).toBe(true)
  })

  it('goes on without a worker that was told to stop', async () => {
    const { runId } = await start(reporter(), '/api/single', { ...long(), duration: '8s', workers: 2 })
    await until(reporter(), runId, job => (job.totals?.requests ?? 0) > 0)
    const { body } = await ask(reporter(), 'POST', '/api/stop', { workers: ['w2'] })
    expect(body).toMatchObject({ runs: [], workers: [{ id: 'w2', stopped: true, runId }] })
    const job = await ended(reporter(), runId)
    expect([job.status, job.workers.map(({ status }) => status)]).toEqual(['finished', ['finished', 'stopped']])
    const report = await reportOf(reporter(), runId)
    expect([report.totals.cancelled > 0, isBalanced(report)]).toEqual([true, true])
  })

  it('that is verbose tells every request and response of its sessions', async () => {
    const { runId, links } = await start(reporter(), '/api/single', { ...quick(), workers: ['w1'], verbose: true })
    const seen = watch(reporter(), links.monitor)
    await ended(reporter(), runId)
    await seen.closed
    const messages = z.array(JobMonitorMessage).parse(seen.messages)
    const events = messages.flatMap(message => (message.type === 'trace' ? message.events : []))
    const told = (type: string) => events.filter(({ event }) => event.type === type).length
    expect([told('request'), told('response')]).toEqual([20, 20])
    expect(new Set(events.map(({ session }) => session)).size).toBe(20)
  })

  it('is ended by a threshold that asks for it', async () => {
    const { runId } = await start(reporter(), '/api/single', {
      ...long(),
      thresholds: { duration: [{ check: 'max<0', abort: true }] },
    })
    const job = await ended(reporter(), runId)
    expect(job.status).toBe('stopped')
    expect((await reportOf(reporter(), runId)).stopped?.reason).toContain('the threshold duration max<0 has failed')
  })

  it('waits for workers, says why, and fails when its time is over', async () => {
    const { runId } = await start(reporter(), '/api/single', { ...quick(), workers: 5, startTimeout: '4s' })
    const waiting = await until(reporter(), runId, job => job.waiting !== undefined)
    expect(waiting.waiting).toContain('more workers are wanted than are alive (2)')
    const job = await ended(reporter(), runId)
    expect([job.status, job.error]).toEqual(['failed', expect.stringContaining('its startTimeout')])
    expect((await ask(reporter(), 'GET', `/report/${runId}/report.json`)).status).toBe(404)
  })

  it('is stopped while it waits', async () => {
    const { runId } = await start(reporter(), '/api/single', { ...quick(), workers: 5 })
    await ask(reporter(), 'POST', '/api/stop', { runId })
    expect((await ended(reporter(), runId)).status).toBe('stopped')
  })

  it('begins once for ten starts with one key, and refuses the key for another', async () => {
    const headers = { 'idempotency-key': 'deploy-17' }
    const body = { ...quick(), name: 'once' }
    const starts = await Promise.all(Array.from({ length: 10 }, () => start(reporter(), '/api/single', body, headers)))
    const [runId = '', ...others] = new Set(starts.map(started => started.runId))
    expect(others).toEqual([])
    await ended(reporter(), runId)
    const { body: reports } = await ask<StoredReport[]>(reporter(), 'GET', '/api/reporters?list=reports')
    expect(reports.filter(report => report.name === 'once').length).toBe(1)
    const other = await ask<Problem>(reporter(), 'POST', '/api/single', { ...body, rate: 30 }, headers)
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict'])
  })

  it('is not scheduled with anything wrong, and all of it is told at once', async () => {
    const wrong = { id: 'Not So', cron: '0 99 * * *', timezone: 'Mars/Olympus', single: quick() }
    const { status, body } = await ask(reporter(), 'POST', '/api/schedules', wrong)
    expect([status, Problem.parse(body).errors?.map(({ path }) => path)]).toEqual([
      422,
      ['$.id', '$.cron', '$.timezone'],
    ])
  })

  it('begins by itself, as often as its schedule says', async () => {
    await ask(reporter(), 'POST', '/api/schedules', {
      id: 'often',
      everyMs: 1000,
      single: { ...quick(), name: 'ticked' },
    })
    const names = async () => {
      const { body } = await ask<StoredReport[]>(reporter(), 'GET', '/api/reporters?list=reports')
      return body.filter(report => report.name === 'ticked')
    }
    while ((await names()).length < 2) await new Promise(done => setTimeout(done, 200))
    expect((await ask(reporter(), 'DELETE', '/api/schedules/often')).status).toBe(204)
    await stopAll()
    expect(new Set((await names()).map(report => report.runId)).size).toBeGreaterThan(1)
  })
})

describe('a worker alone', () => {
  it('runs, is busy meanwhile, and keeps the log', async () => {
    const body = { ...quick(), duration: '3s' }
    const answer = await ask(worker(), 'POST', '/api/engine/single', body, { 'idempotency-key': 'alone' })
    expect(answer.status).toBe(202)
    const { runId } = Started.parse(answer.body)
    const again = await ask(worker(), 'POST', '/api/engine/single', body, { 'idempotency-key': 'alone' })
    expect(again).toEqual(answer)
    const second = await ask<Problem>(worker(), 'POST', '/api/engine/simulation', { simulation: 'checkout' })
    expect([second.status, second.body.code]).toEqual([409, 'worker_busy'])
    expect((await ended(reporter(), runId)).status).toBe('finished')
    const log = await fetch(`${worker().url}/api/engine/simulation/${runId}`, { headers: { range: 'bytes=0-15' } })
    expect([log.status, await log.text()]).toEqual([206, '{"type":"start",'])
    const zipped = await fetch(`${worker().url}/api/engine/simulation/${runId}`)
    const lines = (await zipped.text()).trim().split('\n')
    expect([zipped.headers.get('content-encoding'), JSON.parse(lines.at(-1) ?? '').type]).toEqual(['gzip', 'end'])
  })

  it('ends in a report, which its reporter shows too', async () => {
    const body = { ...quick(), thresholds: { failed: ['rate<0.5'] } }
    const { runId } = Started.parse((await ask(worker(), 'POST', '/api/engine/single', body)).body)
    const job = await ended(reporter(), runId)
    const own = Report.parse((await ask(worker(), 'GET', `/report/${runId}/report.json`)).body)
    expect([job.status, job.verdict, job.totals]).toEqual(['finished', 'passed', own.totals])
    expect(own.thresholds.map(({ check, passed }) => [check, passed])).toEqual([['rate<0.5', true]])
    expect(own.totals.requests).toBe(own.totals.started)
    expect(own.totals.requests).toBeGreaterThan(0)
    expect(await reportOf(reporter(), runId)).toEqual(own)
    const page = await fetch(`${reporter().url}/report/${runId}`, { headers: { accept: 'text/html' } })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(runId)])
    const { status } = await ask(worker(), 'GET', `/report/${runId}/passwd`)
    expect(status).toBe(404)
  })

  it('is ended by a threshold that says so', async () => {
    const body = { ...long(), thresholds: { duration: [{ check: 'p(50)<0.001', abort: true }] } }
    const { runId } = Started.parse((await ask(worker(), 'POST', '/api/engine/single', body)).body)
    const job = await ended(reporter(), runId)
    expect([job.status, job.verdict]).toEqual(['stopped', 'failed'])
  })

  it('is stopped', async () => {
    const { body } = await ask(worker(), 'POST', '/api/engine/single', long())
    const { runId } = Started.parse(body)
    await until(reporter(), runId, job => job.workers[0]?.status === 'running')
    expect((await ask(worker(), 'GET', '/api/engine/stop')).body).toEqual({ stopped: true, runId })
    expect((await ended(reporter(), runId)).status).toBe('stopped')
  })

  it('tells what its compiler says', async () => {
    const compiler = watch(worker(), '/api/engine/compiler')
    const { body } = await ask(worker(), 'POST', '/api/engine/compile', {})
    const outcome = CompileOutcome.parse(body)
    expect([outcome.ok, outcome.failed]).toEqual([false, 1])
    await expect.poll(() => compiler.messages.some(({ type }) => type === 'outcome')).toBe(true)
    const lines = z.array(CompilerMessage).parse(compiler.messages)
    expect(lines.some(line => line.type === 'line' && line.simulation === 'broken' && line.level === 'error')).toBe(
      true,
    )
  })
})

import { parseFrame } from '@onrush/metrics/frame'
import { summarise } from '@onrush/metrics/summary'
import { Totals } from '@onrush/metrics/totals'
import { readRunLog } from '@onrush/report/read-run-log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, ended, Fleet, isBalanced, reportOf, start } from './support/fleet.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await Fleet.start({ workers: 4 })
})
afterAll(() => fleet?.stop())

const reporter = () => fleet.service('r1')

/** An open load that rises and falls, a closed one beside it, and a fixed number of sessions: all the ways to divide. */
const plan = () => ({
  scenarios: [
    {
      name: 'arrivals',
      inject: [
        { type: 'rampUsersPerSec', from: 1, to: 60, duration: '2s' },
        { type: 'atOnceUsers', users: 33 },
        { type: 'constantUsersPerSec', rate: 37, duration: '1s' },
      ],
      steps: [
        { type: 'http', name: 'json', method: 'GET', url: `${fleet.target.url}/json` },
        { type: 'http', name: 'slow', method: 'GET', url: `${fleet.target.url}/delay/20` },
      ],
    },
    {
      name: 'sessions',
      inject: [{ type: 'iterations', iterations: 101, users: 8 }],
      steps: [{ type: 'http', name: 'item', method: 'GET', url: `${fleet.target.url}/items/1` }],
    },
  ],
})

async function run(workers: readonly string[]) {
  await fleet.target.resetStats()
  const { runId } = await start(reporter(), '/api/simulation', { simulation: plan(), workers })
  expect(await ended(reporter(), runId)).toMatchObject({ status: 'finished' })
  const { responses } = await fleet.target.stats()
  return { runId, report: await reportOf(reporter(), runId), responses }
}

describe('the same plan over 1, 2 and 4 workers', () => {
  it('makes the same arrivals, and the target counts the same requests', async () => {
    const runs = [await run(['w1']), await run(['w1', 'w2']), await run(['w1', 'w2', 'w3', 'w4'])]
    const [one] = runs
    for (const { report, responses } of runs) {
      expect(isBalanced(report)).toBe(true)
      expect(report.notes).toEqual([])
      expect(report.totals).toEqual(one?.report.totals)
      expect(responses).toEqual(one?.responses)
      const counted = Object.values(responses).reduce((sum, count) => sum + count, 0)
      expect(report.totals.requests).toBe(counted)
      const books = (each: typeof report) => each.books.toSorted((a, b) => (a.population < b.population ? -1 : 1))
      expect(books(report)).toEqual(one === undefined ? [] : books(one.report))
    }
    const skew = runs[2]?.report.startSkewMs ?? Number.NaN
    expect(skew).toBeGreaterThanOrEqual(0)
    expect(skew).toBeLessThan(10_000)
    expect(runs[2]?.report.workers.map(worker => worker.share)).toEqual([0.25, 0.25, 0.25, 0.25])
  })

  it('merges percentiles as if one had measured everything', async () => {
    const { runId, report } = await run(['w1', 'w2', 'w3'])
    const merged = new Totals()
    for (const id of ['w1', 'w2', 'w3']) {
      const response = await fetch(`${fleet.service(id).url}/api/engine/simulation/${runId}`)
      const { frames } = await readRunLog((await response.text()).split('\n'), id)
      // What a worker wrote each second is added up here once more, in another order than the reporter's.
      for (const frame of frames.toReversed()) merged.add(parseFrame(JSON.parse(JSON.stringify(frame))))
    }
    const summary = summarise(merged, { elapsedMs: report.elapsedMs })
    expect(report.summary.whole.duration).toEqual(JSON.parse(JSON.stringify(summary.whole.duration)))
    expect(report.summary.whole.service).toEqual(JSON.parse(JSON.stringify(summary.whole.service)))
    expect(report.summary.steps.map(({ step, duration }) => [step, duration?.p99]).sort()).toEqual(
      summary.steps.map(({ step, duration }) => [step, duration?.p99]).sort(),
    )
  })
})

describe('many runs', () => {
  it('five runs on two workers execute in order, each once', async () => {
    const body = (i: number) => ({
      name: `row-${i}`,
      url: `${fleet.target.url}/json`,
      rate: 20,
      duration: '500ms',
      workers: ['w1', 'w2'],
    })
    const runIds: string[] = []
    await fleet.target.resetStats()
    for (let i = 1; i <= 5; i++) runIds.push((await start(reporter(), '/api/single', body(i))).runId)
    const jobs = await Promise.all(runIds.map(runId => ended(reporter(), runId)))
    expect(jobs.map(job => job.status)).toEqual(Array.from({ length: 5 }, () => 'finished'))
    const starts = jobs.map(job => Date.parse(job.startedAt ?? ''))
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    const ends = jobs.map(job => Date.parse(job.endedAt ?? ''))
    for (let i = 1; i < 5; i++) expect(starts[i]).toBeGreaterThanOrEqual(ends[i - 1] ?? 0)
    expect((await fleet.target.stats()).responses).toEqual({ 'GET /json 200': 50 })
  })

  it('runs on disjoint workers go on at the same time', async () => {
    const body = (workers: string[]) => ({ url: `${fleet.target.url}/json`, rate: 10, duration: '5s', workers })
    const runs = await Promise.all([
      start(reporter(), '/api/single', body(['w1', 'w2'])),
      start(reporter(), '/api/single', body(['w3', 'w4'])),
    ])
    const [a, b] = await Promise.all(runs.map(({ runId }) => ended(reporter(), runId)))
    expect([a?.status, b?.status]).toEqual(['finished', 'finished'])
    expect(Date.parse(a?.startedAt ?? '')).toBeLessThan(Date.parse(b?.endedAt ?? ''))
    expect(Date.parse(b?.startedAt ?? '')).toBeLessThan(Date.parse(a?.endedAt ?? ''))
    await expect.poll(async () => (await ask<unknown[]>(reporter(), 'GET', '/api/jobs')).body).toEqual([])
  })
})

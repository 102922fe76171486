import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectRedis, type Redis } from '@onrush/fleet/redis'
import { changeRun, createRun } from '@onrush/fleet/run-store'
import { linksOf } from '@onrush/protocol/job'
import { ReportStore } from '@onrush/report/report-store'
import { startRedis } from '@onrush/servers/redis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NodeCalls } from '../fleet/node-calls.ts'
import { reportRoutes } from './report.ts'

let folder: string
let server: Awaited<ReturnType<typeof startRedis>>
let redis: Redis
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onrush-report-route-'))
  server = await startRedis({ dataDir: join(folder, 'redis') })
  redis = await connectRedis(server.url, 'request', () => undefined)
  const plan = { durationMs: 30_000, arrivals: 1_500 }
  for (const runId of ['goes-on', 'broke-off']) {
    const createdAt = '2026-01-02T03:04:05.000Z'
    await createRun(redis, { runId, name: runId, kind: 'single', createdAt, plan, links: linksOf(runId) })
  }
  await changeRun(redis, 'broke-off', { status: 'failed', error: 'it waited 2 s for workers' })
}, 120_000)
afterAll(async () => {
  redis?.disconnect()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function asked(runId: string, accept: string, built: boolean) {
  const needs = { reporter: 'r1', redis, reports: new ReportStore(folder), calls: new NodeCalls('secret') }
  const routes = reportRoutes({ ...needs, dashboard: { has: () => built } })
  const response = await routes.request(`/report/${runId}`, { headers: { accept } })
  const [location, vary] = [response.headers.get('location'), response.headers.get('vary')]
  return { status: response.status, location, vary, body: await response.text() }
}

it('sends a browser to the live page while a run goes on, relative to wherever it is', async () => {
  const { status, location, vary } = await asked('goes-on', 'text/html,*/*', true)
  expect([status, vary]).toEqual([302, 'accept'])
  expect(new URL(location ?? '', 'http://example.com/load/report/goes-on').href).toBe(
    'http://example.com/load/#/runs/goes-on',
  )
})

it('shows a page without a script where there is no dashboard, and of a run that has no report', async () => {
  const plain = await asked('goes-on', 'text/html', false)
  expect([plain.status, plain.location]).toEqual([200, null])
  expect(plain.body).toContain('http-equiv="refresh"')
  const over = await asked('broke-off', 'text/html', true)
  expect([over.status, over.location]).toEqual([200, null])
  expect(over.body).toContain('it waited 2 s for workers')
})

it('tells programs how far it is, whatever there is to look at', async () => {
  const { status, body } = await asked('goes-on', 'application/json', true)
  expect([status, JSON.parse(body)]).toEqual([200, { runId: 'goes-on', status: 'queued' }])
})

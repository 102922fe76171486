import { createClient } from '@onrush/protocol/client'
import type { Job } from '@onrush/protocol/job'
import { reporterEndpoints } from '@onrush/protocol/reporter-endpoints'
import { workerEndpoints } from '@onrush/protocol/worker-endpoints'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { type Nodes, startNodes } from './support/nodes.ts'

const token = 'a-token-for-the-client'
let nodes: Nodes
beforeAll(async () => {
  nodes = await startNodes({ ONRUSH_TOKEN: token })
})
afterAll(() => nodes?.stop())

test('a client typed by the schemas starts a run and reads what came of it', async () => {
  const client = createClient(reporterEndpoints, { url: nodes.reporter.url, token })
  const { runId } = await client.call('POST /api/single', {
    body: { name: 'by client', url: `${nodes.target.url}/json`, iterations: 10 },
    headers: { 'idempotency-key': 'once' },
  })
  const job = await client.call('GET /api/job/:runId', { params: { runId } })
  expectTypeOf(job).toEqualTypeOf<Job>()
  expect(job).toMatchObject({ runId, name: 'by client', kind: 'single' })
  await expect
    .poll(async () => (await client.call('GET /api/job/:runId', { params: { runId } })).status)
    .toBe('finished')
  await expect.poll(() => client.call('GET /api/jobs')).toEqual([])
  const junit = await client.text('GET /report/:runId/:file', { params: { runId, file: 'junit.xml' } })
  expect(junit).toContain('<testsuite')
  const [worker] = await client.call('GET /api/workers')
  expect(worker?.id).toBe('w1')
  expect(await client.call('POST /api/logout')).toBeUndefined()
  const engine = createClient(workerEndpoints, { url: `${nodes.worker.url}/`, token })
  await expect.poll(async () => (await engine.call('GET /api/engine/status')).state).toBe('idle')
})

test('its failures are the service’s own', async () => {
  const client = createClient(reporterEndpoints, { url: nodes.reporter.url, token })
  await expect(client.call('GET /api/job/:runId', { params: { runId: 'never/was?x' } })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(client.call('GET /api/single', { query: { url: 'x', rate: 3 } })).rejects.toMatchObject({
    code: 'invalid',
    errors: expect.arrayContaining([expect.objectContaining({ path: '?url' })]),
  })
  const noFile = client.text('GET /report/:runId/:file', { params: { runId: 'never-was', file: 'report.json' } })
  await expect(noFile).rejects.toMatchObject({ code: 'not_found' })
  const stranger = createClient(reporterEndpoints, { url: nodes.reporter.url, token: 'another' })
  await expect(stranger.call('GET /api/jobs')).rejects.toMatchObject({ code: 'unauthorized' })
  const nobody = createClient(reporterEndpoints, { url: 'http://127.0.0.1:9' })
  await expect(nobody.call('GET /api/jobs')).rejects.toMatchObject({ code: 'unavailable' })
  const other = createClient(reporterEndpoints, {
    url: nodes.reporter.url,
    token,
    fetch: async () => Response.json([{ runId: 1 }]),
  })
  await expect(other.call('GET /api/jobs')).rejects.toMatchObject({ code: 'version_mismatch' })
})

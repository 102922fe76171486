import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { findChromium } from './chromium.ts'
import { startDemoTarget } from './demo-target.ts'
import { startNginx } from './nginx.ts'

it('starts an nginx that answers every path with the same JSON', async () => {
  const body = `{"it's":"\\\\ \\"quoted\\""}`
  const nginx = await startNginx({ body })
  const response = await fetch(`${nginx.url}/any/path?at=all`)
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    200,
    'application/json',
    body,
  ])
  await nginx.stop()
  await expect(fetch(nginx.url)).rejects.toThrow()
}, 120_000)

it('finds a Chromium that runs', async () => {
  const path = await findChromium()
  expect(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout).toMatch(/Chrom/)
}, 300_000)

it.each([false, true])('starts the demo target (https: %s), reads and resets its counts', async https => {
  const target = await startDemoTarget({ https })
  expect(target.url.startsWith(https ? 'https://' : 'http://')).toBe(true)
  expect(target.grpc).toMatch(/^127\.0\.0\.1:\d+$/)
  expect(await target.stats()).toMatchObject({ seen: 0, grpc: {}, rpc: {} })
  if (!https) {
    await fetch(`${target.url}/json`).then(response => response.text())
    const stats = await target.stats()
    expect([stats.completed, stats.responses, stats.connections.used]).toEqual([1, { 'GET /json 200': 1 }, 1])
    expect((await target.resetStats()).seen).toBe(1)
    expect((await target.stats()).seen).toBe(0)
  }
  await target.stop()
})

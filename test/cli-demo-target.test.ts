import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { startChild } from '@onrush/servers/child'
import { expect, it } from 'vitest'

const main = resolve(import.meta.dirname, '../services/cli/src/main.ts')

it('starts the demo target with everything that it can be asked for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'onrush-demo-'))
  const child = await startChild({
    title: 'onrush demo-target',
    command: process.execPath,
    args: [main, 'demo-target', '--port', '0', '--grpc-port', '0', '--host', '127.0.0.1', '--sqlite', 'shop.sqlite'],
    cwd: folder,
    ready: /^demo target on (http:\S+)\ngrpc on (\S+)\nshop database in \S*shop\.sqlite\n/m,
  })
  try {
    expect((await fetch(new URL('/json', child.announced[1]))).status).toBe(200)
    expect(child.announced[2]).toMatch(/^127\.0\.0\.1:\d+$/)
    expect((await stat(join(folder, 'shop.sqlite'))).size).toBeGreaterThan(0)
  } finally {
    await child.stop()
    await rm(folder, { recursive: true })
  }
})

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type DemoTarget, startDemoTarget } from '@onrush/servers/demo-target'
import { afterAll, beforeAll, expect, test } from 'vitest'

// What a whole process runs out of can only be shown in one of its own.

let target: DemoTarget
let folder: string
beforeAll(async () => {
  target = await startDemoTarget()
  folder = mkdtempSync(join(tmpdir(), 'onrush-exhaustion-'))
})
afterAll(async () => {
  await target.stop()
  rmSync(folder, { recursive: true })
})

const here = import.meta.dirname

/** Runs a program that has a transport and the target, and prints JSON. */
async function inProcess(program: string, ulimit = ''): Promise<unknown> {
  const file = join(folder, 'program.ts')
  writeFileSync(
    file,
    `import { HttpTransport } from ${JSON.stringify(join(here, 'http-transport.ts'))}
     import { wireRequest } from ${JSON.stringify(join(here, 'wire-request.testing.ts'))}
     const transport = new HttpTransport({ http: {}, files: new Map() })
     const send = (path, changes = {}) => transport.send(wireRequest(${JSON.stringify(target.url)}, path, changes))
     const result = await (async () => { ${program} })()
     await transport.close()
     console.log(JSON.stringify(result))`,
  )
  const command = `${ulimit} exec "${process.execPath}" "${file}"`
  const { stdout } = await promisify(execFile)('sh', ['-c', command])
  return JSON.parse(stdout)
}

test('files_exhausted: more connections than the process may have, and the run goes on', async () => {
  const found = await inProcess(
    `const answers = await Promise.all(Array.from({ length: 100 }, () => send('/slow?ms=300')))
     const kinds = [...new Set(answers.map(answer => answer.failure?.kind ?? 'ok'))].sort()
     const reach = [...new Set(answers.filter(answer => answer.failure).map(answer => answer.reach))]
     return { kinds, reach, after: (await send('/json')).status }`,
    'ulimit -n 60;',
  )
  expect(found).toEqual({ kinds: ['files_exhausted', 'ok'], reach: ['unsent'], after: 200 })
})

test('too_large: a body of 5 GB, announced or not, costs no memory', async () => {
  const found = await inProcess(
    `const before = process.memoryUsage().rss
     let peak = before
     const watch = setInterval(() => { peak = Math.max(peak, process.memoryUsage().rss) }, 5)
     const kinds = []
     for (const path of ['/bytes?n=5000000000', '/chunked?n=1000000000'])
       for (let i = 0; i < 5; i++) kinds.push((await send(path, { maxBody: 4_000_000 })).failure?.kind)
     const discarded = await send('/bytes?n=400000000', { discardBody: true })
     clearInterval(watch)
     return { kinds: [...new Set(kinds)], discarded: discarded.bodyLength, megabytes: (peak - before) / 1e6 }`,
  )
  expect(found).toMatchObject({ kinds: ['too_large'], discarded: 400_000_000 })
  expect((found as { megabytes: number }).megabytes).toBeLessThan(150)
})

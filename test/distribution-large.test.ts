import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { everyFile } from './support/every-file.ts'
import { ended, Fleet, isBalanced, reportOf, start } from './support/fleet.ts'

const rows = 300_000
const megabytes = 300
let scripts: string
let fleet: Fleet

/** Rows of a kilobyte each. */
async function writeRows(file: string): Promise<void> {
  const padding = 'x'.repeat((megabytes * 1_048_576) / rows - 8)
  const out = createWriteStream(file)
  out.write('row,padding\n')
  for (let row = 0; row < rows; ) {
    let block = ''
    for (const end = Math.min(rows, row + 1000); row < end; row++) block += `${row},${padding}\n`
    if (!out.write(block)) await once(out, 'drain')
  }
  out.end()
  await finished(out)
}

beforeAll(async () => {
  scripts = await mkdtemp(join(tmpdir(), 'onrush-large-'))
  await writeRows(join(scripts, 'rows.csv'))
  await writeFile(
    join(scripts, 'large.ts'),
    `import { csv, http, iterations, scenario, simulation } from 'onrush'
export default simulation({
  environments: { local: { shop: '' } },
  inject: [iterations(4000, 8, { maxDuration: '60s' })],
  scenarios: [
    scenario('a', {
      feed: csv('rows.csv', { order: 'sequential', share: 'unique' }),
      steps: [http.get('row', '{{$._env.shop}}/json', { headers: { 'x-row': '{{$._s.row}}' } })],
    }),
  ],
})
`,
  )
  fleet = await Fleet.start({ workers: 2, env: { ONRUSH_SIMULATIONS: scripts } })
})
afterAll(async () => {
  await fleet?.stop()
  await rm(scripts, { recursive: true, force: true })
})

/** The most memory that a process ever held, in megabytes. */
async function peakOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024
}

it('brings 300 MB to two workers once each, memory flat, and uses each row once over the fleet', async () => {
  const reporter = fleet.service('r1')
  const before = await Promise.all(['r1', 'w1', 'w2'].map(id => peakOf(fleet.service(id).child.pid)))
  const wish = { simulation: 'large', environment: 'local', env: { shop: fleet.target.url } }
  const { runId } = await start(reporter, '/api/simulation', wish)
  expect(await ended(reporter, runId)).toMatchObject({ status: 'finished' })
  const report = await reportOf(reporter, runId)
  expect([isBalanced(report), report.summary.whole.ko]).toEqual([true, 0])
  expect((await fleet.target.stats({ rows: true })).rows).toMatchObject({
    seen: 4000,
    distinct: 4000,
    repeated: 0,
    missing: 0,
  })

  const held = async (id: string) => {
    const files = await everyFile(fleet.service(id).dataDir, path => /contents\/[0-9a-f]{64}$/.test(path))
    const stats = await Promise.all(files.map(file => stat(file)))
    return stats.filter(({ size }) => size > 100 * 1_048_576)
  }
  const came = [await held('w1'), await held('w2')].flat()
  expect(came.map(({ size }) => size > 0.99 * megabytes * 1_048_576)).toEqual([true, true])

  // The second run uses what the first one brought: the same files, not written again.
  const second = await start(reporter, '/api/simulation', wish)
  expect(await ended(reporter, second.runId)).toMatchObject({ status: 'finished' })
  const still = [await held('w1'), await held('w2')].flat()
  expect(still.map(({ ino, birthtimeMs }) => [ino, birthtimeMs])).toEqual(
    came.map(({ ino, birthtimeMs }) => [ino, birthtimeMs]),
  )

  const after = await Promise.all(['r1', 'w1', 'w2'].map(id => peakOf(fleet.service(id).child.pid)))
  // Streams hold some megabytes; a file read whole would add its size, and its copy again as much.
  for (const [i, peak] of after.entries()) expect(peak - (before[i] ?? 0)).toBeLessThan(megabytes * 0.75)
})

import { cpSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Started } from '@onrush/protocol/job'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cli } from './support/cli.ts'
import { root } from './support/copy-tree.ts'
import { everyFile } from './support/every-file.ts'
import { ask, ended, Fleet, isBalanced, reportOf, start } from './support/fleet.ts'

let scripts: string
let fleet: Fleet

const write = async (name: string, text: string) => {
  await mkdir(dirname(join(scripts, name)), { recursive: true })
  await writeFile(join(scripts, name), text)
}

beforeAll(async () => {
  scripts = await mkdtemp(join(tmpdir(), 'onrush-scripts-'))
  await write('node_modules/greeter/package.json', '{ "name": "greeter", "version": "1.0.0", "main": "index.js" }')
  await write('node_modules/greeter/index.js', 'exports.greet = name => "hello " + name\n')
  await write('lib/steps.ts', "export const shared: string = 'from a helper'\n")
  await write('lib/_no-simulation.ts', 'export default 7\n')
  await write('data/users.csv', `user,row\n${Array.from({ length: 60 }, (_, i) => `user-${i},${i}\n`).join('')}`)
  await write(
    'protos/api.proto',
    'syntax = "proto3";\npackage api;\nimport "parts/shop.proto";\nmessage Unused { shop.Item item = 1; }\n',
  )
  await mkdir(join(scripts, 'protos/parts'), { recursive: true })
  cpSync(join(root, 'services/demo-target/src/grpc/shop.proto'), join(scripts, 'protos/parts/shop.proto'))
  await write(
    'team/everything.ts',
    `import { createHash } from 'node:crypto'
import { greet } from 'greeter'
import { csv, grpc, http, iterations, scenario, simulation, step } from 'onrush'
import { shared } from '../lib/steps.ts'

const digest = createHash('sha256').update(shared).digest('hex').slice(0, 8)

export default simulation({
  description: 'Needs everything a script may need',
  environments: { local: { shop: 'http://127.0.0.1:1', catalog: '127.0.0.1:1' } },
  variables: { greeting: greet('fleet'), digest },
  grpc: { catalog: { address: '{{$._env.catalog}}', proto: ['../protos/api.proto', '../protos/parts/shop.proto'] } },
  inject: [iterations(60, 4, { maxDuration: '60s' })],
  seed: 7,
  scenarios: [
    scenario('all', {
      feed: csv('../data/users.csv', { share: 'unique' }),
      steps: [
        http.get('row', '{{$._env.shop}}/json', {
          headers: { 'x-row': '{{$._s.row}}', 'x-greeting': '{{$._j.greeting}}', 'x-digest': '{{$._j.digest}}' },
          assert: { '$._req.headers.x-greeting': 'hello fleet', '$._req.headers.x-digest': digest },
        }),
        grpc.call('item', 'shop.Catalog/GetItem', { message: { id: 7 }, assert: { '$.entity.id': 7 } }),
        step('code', session => {
          session.set('digest', createHash('md5').update(greet('code')).digest('hex'))
        }),
      ],
    }),
  ],
})
`,
  )
  await write(
    'edited.ts',
    `import { atOnce, constantRate, http, scenario, simulation } from 'onrush'
export default simulation({
  environments: { local: { shop: '' } },
  inject: [constantRate(20, '4s')],
  scenarios: [scenario('a', { steps: [http.get('before', '{{$._env.shop}}/json', { headers: { 'x-onrush-name': 'before' } })] })],
})
`,
  )
  fleet = await Fleet.start({ workers: 2, env: { ONRUSH_SIMULATIONS: scripts } })
})
afterAll(async () => {
  await fleet?.stop()
  await rm(scripts, { recursive: true, force: true })
})

const reporter = () => fleet.service('r1')
const started = (answer: Awaited<ReturnType<typeof ask>>) => Started.parse(answer.body)
const environment = () => ({ shop: fleet.target.url, catalog: fleet.target.grpc })

it('runs a script with all that it needs on workers that have nothing, as onrush run does', async () => {
  await fleet.target.resetStats()
  const { runId } = await start(reporter(), '/api/simulation', {
    simulation: 'team/everything',
    environment: 'local',
    env: environment(),
  })
  expect(await ended(reporter(), runId)).toMatchObject({ status: 'finished' })
  const onFleet = await reportOf(reporter(), runId)
  const rows = await fleet.target.stats({ rows: true })
  expect(rows.rows).toMatchObject({ seen: 60, distinct: 60, repeated: 0, missing: 0, least: 0, most: 59 })
  expect(rows.grpc['shop.Catalog/GetItem']).toMatchObject({ completed: 60 })

  const out = join(scripts, '.local-run')
  const { shop, catalog } = environment()
  const local = await cli(
    [
      'run',
      join(scripts, 'team/everything.ts'),
      '--env',
      'local',
      '-e',
      `shop=${shop}`,
      '-e',
      `catalog=${catalog}`,
      '--out',
      out,
      '--quiet',
    ],
    { cwd: scripts },
  )
  expect([local.code, local.err]).toEqual([0, expect.any(String)])
  const [folder = ''] = (await readdir(out, { recursive: true })).filter(name => name.endsWith('report.json'))
  const alone: typeof onFleet = JSON.parse(await readFile(join(out, folder), 'utf8'))
  const shape = (report: typeof onFleet) => ({
    hash: report.run.simulation.hash,
    totals: { ...report.totals, active: 0 },
    steps: report.summary.steps
      .map(({ step, count, ok, ko, status }) => ({ step, count, ok, ko, status }))
      .sort((a, b) => (a.step < b.step ? -1 : 1)),
    checks: report.summary.whole.checks,
  })
  expect(shape(onFleet)).toEqual(shape(alone))
  expect(onFleet.summary.whole).toMatchObject({ ko: 0 })
  expect(isBalanced(onFleet)).toBe(true)
})

it('keeps what it fetched to itself', async () => {
  for (const id of ['w1', 'w2', 'r1']) {
    const files = await everyFile(fleet.service(id).dataDir, name => /contents|bundles/.test(name))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) expect([file, (await stat(file)).mode & 0o077]).toEqual([file, 0])
  }
})

it('changes nothing in a run when its script is edited, and the next one is the new version', async () => {
  await fleet.target.resetStats()
  const first = await start(reporter(), '/api/simulation', {
    simulation: 'edited',
    environment: 'local',
    env: environment(),
  })
  const text = await readFile(join(scripts, 'edited.ts'), 'utf8')
  await write('edited.ts', text.replaceAll('before', 'after').replace("constantRate(20, '4s')", 'atOnce(5)'))
  await ended(reporter(), first.runId)
  const names = Object.keys((await fleet.target.stats()).names)
  expect(names).toContain('before')
  expect(names).not.toContain('after')
  const second = await start(reporter(), '/api/simulation', {
    simulation: 'edited',
    environment: 'local',
    env: environment(),
  })
  await ended(reporter(), second.runId)
  const [old, fresh] = await Promise.all([first, second].map(({ runId }) => reportOf(reporter(), runId)))
  expect(old?.summary.steps.map(({ step }) => step)).toEqual(['before'])
  expect(fresh?.summary.steps.map(({ step }) => step)).toEqual(['after'])
  expect(old?.run.simulation.source).toBe(text)
  expect(fresh?.run.simulation.source).toContain('atOnce(5)')
  expect(fresh?.run.simulation.hash).toMatch(/^[0-9a-f]{64}$/)
  expect(fresh?.run.simulation.hash).not.toBe(old?.run.simulation.hash)
})

it('runs the same on a worker alone, from its own folder', async () => {
  await fleet.target.resetStats()
  const body = { simulation: 'team/everything', environment: 'local', env: environment() }
  const { runId } = started(await ask(fleet.service('w2'), 'POST', '/api/engine/simulation', body))
  expect(await ended(reporter(), runId)).toMatchObject({ status: 'finished' })
  const { rows, grpc } = await fleet.target.stats({ rows: true })
  expect(rows).toMatchObject({ seen: 60, distinct: 60 })
  expect(grpc['shop.Catalog/GetItem']).toMatchObject({ completed: 60, codes: { 0: 60 } })
})

it('gives contents to nodes of the fleet alone', async () => {
  const hash = '0'.repeat(64)
  expect(await ask(reporter(), 'GET', `/api/content/${hash}`)).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  })
  const wrong = { authorization: 'Bearer wrong' }
  expect(await ask(reporter(), 'GET', `/api/content/${hash}`, undefined, wrong)).toMatchObject({ status: 403 })
})

it('makes workers ready for runs before there are any', async () => {
  await fleet.worker('w3', { ONRUSH_SIMULATIONS: scripts })
  const first = await ask(reporter(), 'POST', '/api/compile', { workers: ['w3'] })
  expect(first).toMatchObject({
    status: 200,
    body: { ok: true, workers: [{ id: 'w3', ok: true, ready: 2, fetched: expect.any(Number) }] },
  })
  const again = await ask(reporter(), 'POST', '/api/compile', { workers: ['w3'] })
  expect(again.body).toMatchObject({ compiled: 0, unchanged: 2, workers: [{ id: 'w3', fetched: 0, bytes: 0 }] })
})

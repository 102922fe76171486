import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Report } from '@onrush/protocol/report'
import { type DemoTarget, startDemoTarget } from '@onrush/servers/demo-target'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cli, folderWith, startCli } from './support/cli.ts'

let target: DemoTarget
beforeAll(async () => {
  target = await startDemoTarget()
})
afterAll(() => target.stop())
beforeEach(() => target.resetStats())

interface Spec {
  readonly path?: string
  readonly inject?: string
  readonly more?: string
  readonly assert?: string
  /** Generous, because a machine that runs other tests sends late, and that is not what most tests are about. */
  readonly lag?: string
}

/** A simulation of one step, as YAML. */
const yaml = ({
  path = '/json',
  inject = 'type: iterations, iterations: 40, users: 4',
  more = '',
  assert = '200',
  lag = '60s',
}: Spec = {}) => `
description: one step
environments: { local: { shop: '${target.url}' }, other: { shop: '${target.url}', token: { $secret: hush-hush } } }
http: { baseUrl: '{{$._env.shop}}' }
generator: { lagP99: ${lag} }
inject: [{ ${inject} }]
scenarios:
  - name: only
    steps: [{ type: http, name: get, url: '${path}', assert: { $.status: ${assert} } }]
${more}
`

const reportIn = async (folder: string) => Report.parse(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')))

describe('a run that goes well', () => {
  it('ends with 0, and its report is what it printed and what the target counted', async () => {
    const folder = await folderWith({
      'one.yaml': yaml({ more: 'thresholds: { failed: [rate==0], checks: [rate==1] }' }),
    })
    const { code, out, err } = await cli(['run', 'one.yaml', '--json', '--out', 'report', '--seed', '7'], {
      cwd: folder,
    })
    expect(code, err).toBe(0)
    const printed = Report.parse(JSON.parse(out))
    expect(printed).toEqual(await reportIn(join(folder, 'report')))
    expect(printed).toMatchObject({ status: 'finished', verdict: 'passed', run: { seed: 7 } })
    expect(printed.run.command).toBe('onrush run one.yaml --seed 7')
    expect(printed.totals).toMatchObject({ planned: 40, started: 40, finished: 40, requests: 40, failed: 0, active: 0 })
    const { responses } = await target.stats()
    expect(responses).toEqual({ 'GET /json 200': 40 })
    expect(printed.summary.whole.status).toEqual([{ status: 200, count: 40 }])
    expect((await readdir(join(folder, 'report'))).sort()).toEqual([
      'index.html',
      'junit.xml',
      'log.ndjson',
      'report.json',
      'stats.csv',
    ])
    expect(await readdir(folder)).not.toContain('report.unfinished')
  })

  it('is rebuilt from its log to the last number', async () => {
    const folder = await folderWith({ 'one.yaml': yaml() })
    await cli(['run', 'one.yaml', '--quiet', '--out', 'report'], { cwd: folder })
    const { code, out } = await cli(['report', 'report', '--json', '--out', 'again'], { cwd: folder })
    expect(code).toBe(0)
    expect(Report.parse(JSON.parse(out))).toEqual(await reportIn(join(folder, 'report')))
    expect(await reportIn(join(folder, 'again'))).toEqual(await reportIn(join(folder, 'report')))
  })

  it('writes plain lines where nobody is watching, the summary alone on the standard output', async () => {
    const folder = await folderWith({
      'one.yaml': yaml({ inject: 'type: constantUsersPerSec, rate: 5, duration: 6s' }),
    })
    const { code, out, err } = await cli(['run', 'one.yaml'], { cwd: folder })
    expect(code, err).toBe(0)
    expect(out + err).not.toContain('\x1b')
    expect(err).toMatch(/running as one-\d{14}-[a-z0-9]{6}\n/)
    const line = /^(\d+(?:\.\d)?) s of 6 s, (\d+) %; \d+ active; \d+ requests, .*failed 0$/m
    const [, seconds, percent] = line.exec(err) ?? []
    expect(Number(seconds), err).toBeGreaterThanOrEqual(5)
    // The line is written when a second's frame comes, which may be late; what it says of that moment fits together.
    expect(Math.abs(Number(percent) - Math.min(100, (Number(seconds) / 6) * 100))).toBeLessThanOrEqual(2)
    expect(out).toMatch(/^\none · local: ✓ passed, finished after/)
    expect(out).toMatch(/report: runs\/one-\d{14}-[a-z0-9]{6}\/index\.html\n$/)
    expect(await readdir(join(folder, 'runs'))).toHaveLength(1)
  })

  it('shows nothing but the summary with --quiet', async () => {
    const folder = await folderWith({ 'one.yaml': yaml() })
    const { err, out } = await cli(['run', 'one.yaml', '--quiet'], { cwd: folder })
    expect(err).toBe('')
    expect(out).toContain('✓ passed')
  })
})

describe('flags over the script', () => {
  it.each([
    [['-i', '12', '-u', '3'], { planned: 12 }],
    [['-r', '20', '-d', '1s'], { planned: 20 }],
    [['-u', '2', '--think-times', '0'], { planned: 40 }],
    [['-r', '2', '--stage', '1s:20', '--stage', '1s:20'], { planned: 31 }],
  ])('%j', async (flags, totals) => {
    const folder = await folderWith({ 'one.yaml': yaml() })
    const { code, out, err } = await cli(['run', 'one.yaml', '--json', '--quiet', ...flags], { cwd: folder })
    expect(code, err).toBe(0)
    const report = Report.parse(JSON.parse(out))
    expect(report.totals).toMatchObject(totals)
    expect((await target.stats()).responses).toEqual({ 'GET /json 200': report.totals.requests })
  })

  it('takes variables from the command line over those of a file over those of the script', async () => {
    const folder = await folderWith({
      'one.yaml': yaml({ path: '/json?a={{$._env.A}}&b={{$._env.B}}&row={{$._env.A}}{{$._env.B}}' }),
      '.env': 'A=file\nB=file\n',
    })
    const args = ['run', 'one.yaml', '--json', '--env-file', '.env', '-e', 'B=flag']
    const { code, out, err } = await cli(args, { cwd: folder })
    expect(code, err).toBe(0)
    expect(Report.parse(JSON.parse(out)).run.environment.values).toMatchObject({ A: 'file', B: 'flag' })
    expect(JSON.stringify((await target.stats({ rows: true })).rows)).toContain('fileflag')
  })

  it('keeps secrets out of all that is printed and written', async () => {
    const path = '/status/500?key={{$._env.token}}&other={{$._env.API_TOKEN}}'
    const folder = await folderWith({ 'one.yaml': yaml({ path }) })
    const args = ['run', 'one.yaml', '--env', 'other', '-e', 'API_TOKEN=psst-psst', '--out', 'report']
    const { out, err } = await cli(args, { cwd: folder })
    const files = await Promise.all(
      (await readdir(join(folder, 'report'))).map(name => readFile(join(folder, 'report', name), 'utf8')),
    )
    for (const secret of ['hush-hush', 'psst-psst']) expect([out, err, ...files].join('\n')).not.toContain(secret)
    expect(files.join('')).toContain('key=***')
  })
})

describe('the exit code', () => {
  it('is 99 when a threshold failed', async () => {
    const folder = await folderWith({ 'one.yaml': yaml({ more: 'thresholds: { duration: [p(95)<0.001] }' }) })
    const { code, out } = await cli(['run', 'one.yaml', '--out', 'report'], { cwd: folder })
    expect(code).toBe(99)
    expect(out).toContain('one · local: ✗ failed')
    expect(await readFile(join(folder, 'report', 'junit.xml'), 'utf8')).toContain('failures="1"')
  })

  it('is 99 when a threshold ended the run', async () => {
    const more = 'thresholds: { failed: [{ check: rate<0.5, abort: true }] }'
    const inject = 'type: constantConcurrentUsers, users: 2, duration: 60s'
    const folder = await folderWith({ 'one.yaml': yaml({ path: '/status/500', more, inject }) })
    const { code, out } = await cli(['run', 'one.yaml', '--json'], { cwd: folder })
    expect(code).toBe(99)
    const report = Report.parse(JSON.parse(out))
    expect(report).toMatchObject({
      status: 'stopped',
      verdict: 'failed',
      stopped: { reason: expect.stringContaining('rate<0.5') },
    })
    expect(report.elapsedMs).toBeLessThan(30_000)
  })

  it('is 96 when the generator did not keep up, whatever the thresholds say', async () => {
    const more = 'thresholds: { duration: [p(95)<0.001] }'
    const inject = 'type: constantUsersPerSec, rate: 100, duration: 1s'
    const folder = await folderWith({ 'one.yaml': yaml({ more, inject, lag: '0ms' }) })
    const { code, out } = await cli(['run', 'one.yaml'], { cwd: folder })
    expect(out).toContain('! invalid')
    expect(code).toBe(96)
  })

  it.each([
    ['no such file', ['run', 'none.yaml'], /there is no simulation none\.yaml/],
    ['a flag that is none', ['run', 'one.yaml', '--user', '3'], /--user: no such flag; did you mean "--users"/],
    ['a value that is none', ['run', 'one.yaml', '-d', 'soon'], /--duration: expected a duration/],
    ['flags that exclude each other', ['run', 'one.yaml', '-r', '1', '-i', '2'], /--rate: .*give one of the two/],
    [
      'an environment that is none',
      ['run', 'one.yaml', '--env', 'locl'],
      /no environment "locl"; did you mean "local"/,
    ],
    ['a variable that is none', ['run', 'one.yaml', '-e', 'A'], /expected KEY=VALUE/],
    ['an environment file that is none', ['run', 'one.yaml', '--env-file', 'no'], /there is no file no/],
    ['a folder of something else', ['run', 'one.yaml', '--out', '.'], /expected an empty folder/],
    ['a load over several populations', ['run', 'two.yaml', '-u', '1', '-d', '1s'], /population/],
  ])('is 104 for %s, before anything is sent', async (_, args, message) => {
    const scenario = (name: string) => `
  - name: ${name}
    inject: [{ type: atOnceUsers, users: 1 }]
    steps: [{ type: http, name: get, url: '${target.url}/json' }]`
    const folder = await folderWith({ 'one.yaml': yaml(), 'two.yaml': `scenarios:${scenario('a')}${scenario('b')}\n` })
    const { code, err, out } = await cli(args, { cwd: folder })
    expect([code, out]).toEqual([104, ''])
    expect(err).toMatch(message)
    expect((await target.stats()).seen).toBe(0)
    expect(await readdir(folder)).not.toContain('runs')
  })

  it.each([
    ['throws when it is loaded', `throw new Error('on purpose')`, /on purpose/],
    ['has a type error', `const x: number = 'text'\nexport default x`, /bad\.ts:1:7/],
    [
      'throws in its setup',
      `import { http, scenario, simulation } from 'onrush'
export default simulation({ setup: () => { throw new Error('on purpose') }, scenarios: [scenario('a', { steps: [http.get('x', 'http://127.0.0.1:1/')] })] })`,
      /setup failed: Error: on purpose/,
    ],
  ])('is 107 when the script %s', async (_, script, message) => {
    const folder = await folderWith({ 'bad.ts': script })
    const { code, err } = await cli(['run', 'bad.ts', '--quiet'], { cwd: folder })
    expect(err).toMatch(message)
    expect(code).toBe(107)
    expect(await readdir(folder)).toEqual(['bad.ts'])
  })

  it('is not changed by a teardown that throws, but it is said, there and in the report', async () => {
    const script = `import { http, iterations, scenario, simulation } from 'onrush'
export default simulation({
  inject: [iterations(5)],
  teardown: () => { throw new Error('on purpose') },
  scenarios: [scenario('a', { steps: [http.get('x', '${target.url}/json')] })],
})`
    const folder = await folderWith({ 'bad.ts': script })
    const { code, err, out } = await cli(['run', 'bad.ts', '--out', 'report'], { cwd: folder })
    expect(code).toBe(0)
    for (const text of [err, out]) expect(text).toContain('teardown failed: Error: on purpose')
    const report = await reportIn(join(folder, 'report'))
    expect(report.summary.whole.count).toBe(5)
    expect(report.notes).toEqual([expect.stringContaining('teardown failed')])
  })
})

describe('a signal', () => {
  const inject = 'type: constantConcurrentUsers, users: 3, duration: 60s'

  it('lets running sessions finish, prints the summary, writes the report and answers 105', async () => {
    const folder = await folderWith({ 'one.yaml': yaml({ path: '/slow?ms=100', inject }) })
    const running = startCli(['run', 'one.yaml', '--out', 'report'], { cwd: folder })
    await running.said('running as')
    await expect.poll(async () => (await target.stats()).completed).toBeGreaterThan(5)
    running.signal('SIGINT')
    await running.said('once more ends at once')
    const { code, out } = await running.ended
    expect(code).toBe(105)
    expect(out).toContain('stopped after')
    const report = await reportIn(join(folder, 'report'))
    expect(report).toMatchObject({ status: 'stopped', totals: { interrupted: 0, active: 0, failed: 0 } })
    expect((await target.stats()).completed).toBe(report.totals.requests)
  })

  it('that comes twice ends at once, and still reports', async () => {
    const folder = await folderWith({ 'one.yaml': yaml({ path: '/slow?ms=60000', inject }) })
    const running = startCli(['run', 'one.yaml', '--out', 'report'], { cwd: folder })
    await running.said('running as')
    await expect.poll(async () => (await target.stats()).seen).toBe(3)
    running.signal('SIGINT')
    await running.said('once more ends at once')
    running.signal('SIGINT')
    const { code } = await running.ended
    expect(code).toBe(105)
    const report = await reportIn(join(folder, 'report'))
    expect(report.totals).toMatchObject({ started: 3, finished: 0, interrupted: 3 })
    expect(report.elapsedMs).toBeLessThan(30_000)
  })

  it('before the load began leaves nothing behind', async () => {
    const script = `import { http, scenario, simulation } from 'onrush'
export default simulation({
  setup: async session => { await session.pause(8_000) },
  scenarios: [scenario('a', { steps: [http.get('x', '${target.url}/json')] })],
})`
    const folder = await folderWith({ 'slow.ts': script })
    const running = startCli(['run', 'slow.ts', '--out', 'report'], { cwd: folder })
    await running.said('setup')
    running.signal('SIGTERM')
    const { code, err } = await running.ended
    expect(err).toContain('stopped before the load began')
    expect(code).toBe(105)
    expect(await readdir(folder)).toEqual(['slow.ts'])
    expect((await target.stats()).seen).toBe(0)
  })
})

it('leaves a log from which the report is built when it is killed', async () => {
  const folder = await folderWith({
    'one.yaml': yaml({ path: '/slow?ms=50', inject: 'type: constantConcurrentUsers, users: 3, duration: 60s' }),
  })
  const running = startCli(['run', 'one.yaml', '--out', 'report'], { cwd: folder })
  await running.said('running as')
  const log = join(folder, 'report.unfinished', 'log.ndjson')
  const lines = async () => (await readFile(log, 'utf8')).split('\n').length
  await expect.poll(async () => (await target.stats()).completed).toBeGreaterThan(0)
  // Two lines more: the second one covers a second that began after a request was done.
  const before = await lines()
  await expect.poll(lines).toBeGreaterThanOrEqual(before + 2)
  running.signal('SIGKILL')
  await running.ended
  const { code, out } = await cli(['report', 'report.unfinished'], { cwd: folder })
  expect(code).toBe(0)
  expect(out).toContain('broke off')
  const report = await reportIn(join(folder, 'report.unfinished'))
  expect(report).toMatchObject({ status: 'failed', workers: [{ status: 'lost' }] })
  expect(report.totals.requests).toBeGreaterThan(0)
})

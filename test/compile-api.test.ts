import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@onrush/protocol/client'
import { CompilerMessage } from '@onrush/protocol/monitor'
import type { Problem } from '@onrush/protocol/problem'
import { reporterEndpoints } from '@onrush/protocol/reporter-endpoints'
import type { CompileOutcome, SimulationEntry } from '@onrush/protocol/simulation-entry'
import type { SimulationSource } from '@onrush/protocol/simulation-source'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cli } from './support/cli.ts'
import { ask, ended, Fleet, reportOf, start, watch } from './support/fleet.ts'

let scripts: string
let fleet: Fleet

const good = (step: string, more = '') => `import { atOnce, http, scenario, simulation } from 'onrush'
${more}
export default simulation({
  environments: { local: { shop: '' } },
  inject: [atOnce(3)],
  scenarios: [scenario('a', { steps: [http.get('${step}', '{{$._env.shop}}/json')] })],
})
`
const write = (name: string, text: string) => writeFile(join(scripts, name), text)
const reporter = () => fleet.service('r1')
const worker = () => fleet.service('w1')
const wish = (simulation: string) => ({ simulation, environment: 'local', env: { shop: fleet.target.url } })
const messagesOf = (stream: { messages: unknown[] }) => stream.messages.map(message => CompilerMessage.parse(message))

beforeAll(async () => {
  scripts = await mkdtemp(join(tmpdir(), 'onrush-compile-'))
  await write('good.ts', good('fine'))
  fleet = await Fleet.start({ workers: 1, env: { ONRUSH_SIMULATIONS: scripts } })
})
afterAll(async () => {
  await fleet?.stop()
  await rm(scripts, { recursive: true, force: true })
})

describe('a type error', () => {
  it('is refused with its line by the API, in both streams and by the CLI, and no worker hears of it', async () => {
    await write('typed.ts', good('x').replace('atOnce(3)', "atOnce('3')"))
    const place = 'typed.ts:5:19'
    const [onReporter, onWorker] = [watch(reporter(), '/api/compile/stream'), watch(worker(), '/api/engine/compiler')]
    const { status, body } = await ask<CompileOutcome>(reporter(), 'POST', '/api/compile', {})
    expect([status, body.ok, body.failed]).toEqual([200, false, 1])
    expect(body.simulations.find(({ name }) => name === 'typed')?.errors?.[0]?.path).toBe(place)

    const started = await ask<Problem>(reporter(), 'POST', '/api/simulation', wish('typed'))
    expect(started).toMatchObject({ status: 422, body: { code: 'script_error', errors: [{ path: place }] } })
    expect((await ask(reporter(), 'GET', '/api/jobs')).body).toEqual([])

    const own = await ask<CompileOutcome>(worker(), 'POST', '/api/engine/compile', {})
    expect(own.body).toMatchObject({ ok: false, failed: 1, compiled: 1 })
    for (const stream of [onReporter, onWorker]) {
      await expect.poll(() => messagesOf(stream).some(message => message.type === 'outcome')).toBe(true)
      expect(messagesOf(stream)).toContainEqual(
        expect.objectContaining({ type: 'line', level: 'error', simulation: 'typed', place }),
      )
    }

    const command = await cli(['compile', scripts], { cwd: fleet.folder })
    expect(command.code).toBe(107)
    expect(command.out).toContain(`error ${place}: `)
    expect(command.out).toMatch(/✗ 1 compiled, 0 unchanged, 1 failed/)
    await rm(join(scripts, 'typed.ts'))
    const mended = await cli(['compile', scripts], { cwd: fleet.folder })
    expect([mended.code, mended.out]).toEqual([0, expect.stringContaining('✓ 0 compiled, 1 unchanged, 0 failed')])
  })
})

describe('the source of a script', () => {
  it('is there for whoever looks, by a name with slashes too, beside the one that runs', async () => {
    const first = good('first')
    await mkdir(join(scripts, 'team'))
    await write('team/shop.ts', first)
    expect((await ask<CompileOutcome>(reporter(), 'POST', '/api/compile', {})).body.ok).toBe(true)
    await write('team/shop.ts', `${first}oops(`)
    await ask(reporter(), 'POST', '/api/compile', {})
    const client = createClient(reporterEndpoints, { url: reporter().url })
    const source = await client.call('GET /api/simulations/*', { params: { path: 'team/shop' } })
    expect(source).toEqual({
      name: 'team/shop',
      files: [{ file: 'team/shop.ts', now: { text: `${first}oops(`, cut: false }, good: { text: first, cut: false } }],
      left: 0,
    })
    const encoded = await ask<SimulationSource>(reporter(), 'GET', '/api/simulations/team%2Fshop')
    expect(encoded.body).toEqual(source)
    await rm(join(scripts, 'team'), { recursive: true })
  })

  it.each(['nobody', '..%2f..%2f..%2fetc%2fpasswd', 'good.ts', '%2e%2e/good', 'good%00', '%ff'])(
    'is not found by %s: a name is no path',
    async name => {
      const { status } = await ask<Problem>(reporter(), 'GET', `/api/simulations/${name}`)
      expect(status).toBe(name === '%ff' ? 400 : 404)
    },
  )
})

describe('a script that misbehaves while it is loaded', () => {
  it.each([
    ['loops', 'for (;;) {}', /still loading after 10 s/],
    ['ends its process', 'process.exit(7)', /exit code 7/],
    [
      'takes 2 GB',
      'const taken = Array.from({ length: 2048 }, () => Buffer.alloc(1048576, 1)); console.log(taken)',
      /more than 512 MB/,
    ],
    ['throws', "throw new Error('not today')", /not today/],
  ])('and %s is a compile error, and the service lives on', async (_, line, message) => {
    await write('bad.ts', good('x', line))
    const { body } = await ask<CompileOutcome>(reporter(), 'POST', '/api/compile', {})
    expect(body.ok).toBe(false)
    const [fault] = body.simulations.find(({ name }) => name === 'bad')?.errors ?? []
    expect(fault?.path).toMatch(/^bad\.ts(:2:\d+)?$/)
    expect(fault?.message).toMatch(message)
    expect((await ask(reporter(), 'GET', '/healthz')).status).toBe(200)
    await rm(join(scripts, 'bad.ts'))
    const { runId } = await start(reporter(), '/api/simulation', wish('good'))
    expect(await ended(reporter(), runId)).toMatchObject({ status: 'finished' })
  })
})

it('a version that fails leaves the last good one to run, and the report says so', async () => {
  await write('kept.ts', good('before'))
  await ask(reporter(), 'POST', '/api/compile', {})
  await write('kept.ts', good('after').replace('atOnce(3)', "atOnce('3')"))
  await ask(reporter(), 'POST', '/api/compile', {})
  const { body } = await ask<SimulationEntry[]>(reporter(), 'GET', '/api/simulations')
  expect(body.find(({ name }) => name === 'kept')).toMatchObject({
    status: 'failed',
    errors: [{ path: 'kept.ts:5:19' }],
    lastGood: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
  const { runId } = await start(reporter(), '/api/simulation', wish('kept'))
  expect(await ended(reporter(), runId)).toMatchObject({ status: 'finished' })
  const report = await reportOf(reporter(), runId)
  expect(report.summary.steps.map(({ step }) => step)).toEqual(['before'])
  expect(report.run.warnings).toEqual([expect.stringMatching(/last good version.*kept\.ts:5:19/)])
  await rm(join(scripts, 'kept.ts'))
})

it('two compiles at once are one, and whoever comes late hears what was said so far', async () => {
  await Promise.all(Array.from({ length: 12 }, (_, i) => write(`many-${i}.ts`, good(`step ${i}`))))
  const early = watch(reporter(), '/api/compile/stream')
  const both = Promise.all([1, 2].map(() => ask<CompileOutcome>(reporter(), 'POST', '/api/compile', {})))
  both.catch(() => undefined)
  await expect.poll(() => messagesOf(early).filter(({ type }) => type === 'line').length).toBeGreaterThan(0)
  const late = watch(reporter(), '/api/compile/stream')
  expect((await both).map(({ body }) => body.ok)).toEqual([true, true])
  const lines = (stream: { messages: unknown[] }) =>
    messagesOf(stream).flatMap(message => (message.type === 'line' ? [message.text] : []))
  await expect.poll(() => lines(early).filter(text => text.includes('[12/12]')).length).toBe(1)
  await expect.poll(() => lines(late).at(-1)).toBe(lines(early).at(-1))
  expect(lines(early).map(text => /\[(\d+)\/12\]/.exec(text)?.[1])).toEqual(
    Array.from({ length: 12 }, (_, i) => String(i + 1)),
  )
  expect(lines(early).slice(-lines(late).length)).toEqual(lines(late))
})

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CompilerMessage } from '@onrush/protocol/monitor'
import type { Problem } from '@onrush/protocol/problem'
import type { CompileOutcome } from '@onrush/protocol/simulation-entry'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, ended, Fleet, reportOf, start, watch } from './support/fleet.ts'

const root = mkdtempSync(join(tmpdir(), 'onrush-git-'))
const [bare, author, checkout] = ['bare.git', 'author', 'checkout'].map(name => join(root, name)) as [
  string,
  string,
  string,
]
let fleet: Fleet

function git(cwd: string, ...args: string[]): string {
  const who = ['-c', 'user.name=ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main']
  return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}
const script = (step: string) => `import { atOnce, http, scenario, simulation } from 'onrush'
export default simulation({
  environments: { local: { shop: '' } },
  inject: [atOnce(2)],
  scenarios: [scenario('a', { steps: [http.get('${step}', '{{$._env.shop}}/json')] })],
})
`
function commit(step: string, ...push: string[]): string {
  mkdirSync(join(author, 'load-tests'), { recursive: true })
  writeFileSync(join(author, 'load-tests/shop.ts'), script(step))
  git(author, 'add', '-A')
  git(author, 'commit', '-q', '-m', step)
  git(author, 'push', '-q', ...push, 'origin', 'HEAD:main')
  return git(author, 'rev-parse', 'HEAD')
}
const reporter = () => fleet.service('r1')
const pull = <T = CompileOutcome>() => ask<T>(reporter(), 'POST', '/api/compile', { pull: true })
async function stepsOfRun(): Promise<string[]> {
  const wish = { simulation: 'shop', environment: 'local', env: { shop: fleet.target.url } }
  const { runId } = await start(reporter(), '/api/simulation', wish)
  await ended(reporter(), runId)
  return (await reportOf(reporter(), runId)).summary.steps.map(({ step }) => step)
}

beforeAll(async () => {
  git(root, 'init', '-q', '--bare', bare)
  git(root, 'init', '-q', author)
  git(author, 'remote', 'add', 'origin', bare)
  commit('first')
  git(root, 'clone', '-q', '-b', 'main', bare, checkout)
  fleet = await Fleet.start({ workers: 1, env: { ONRUSH_SIMULATIONS: join(checkout, 'load-tests') } })
})
afterAll(async () => {
  await fleet?.stop()
  rmSync(root, { recursive: true, force: true })
})

it('a pull brings a new commit in, and the next run is its version', async () => {
  expect(await stepsOfRun()).toEqual(['first'])
  const from = git(checkout, 'rev-parse', 'HEAD')
  const to = commit('second')
  const stream = watch(reporter(), '/api/compile/stream')
  await expect.poll(() => stream.messages).toMatchObject([{ state: 'idle' }])
  expect(await pull()).toMatchObject({ status: 200, body: { ok: true, compiled: 1, pulled: { from, to } } })
  const expected = ['idle', 'pulling', 'line', 'checking', 'bundling', 'line', 'outcome', 'idle']
  // The folder is watched too: what a look at it says comes after these.
  const first = () => (stream.messages as CompilerMessage[]).slice(0, expected.length)
  await expect.poll(() => first().map(each => (each.type === 'state' ? each.state : each.type))).toEqual(expected)
  expect(await stepsOfRun()).toEqual(['second'])
  expect(await pull()).toMatchObject({
    status: 200,
    body: { ok: true, compiled: 0, unchanged: 1, pulled: { from: to, to } },
  })
})

it('a pull into changes that were made here says so and leaves them', async () => {
  const mine = script('mine')
  writeFileSync(join(checkout, 'load-tests/shop.ts'), mine)
  commit('theirs')
  const { status, body } = await pull<Problem>()
  expect([status, body.code]).toEqual([409, 'conflict'])
  expect(body.detail).toMatch(/changes made here are in its way; nothing was changed/)
  expect(readFileSync(join(checkout, 'load-tests/shop.ts'), 'utf8')).toBe(mine)
  git(checkout, 'checkout', '-q', '--', '.')
  expect((await pull()).body.ok).toBe(true)
  expect(await stepsOfRun()).toEqual(['theirs'])
})

it('a rewritten history is not followed, and the last good version stays', async () => {
  git(author, 'reset', '-q', '--hard', 'HEAD~1')
  commit('rewritten', '--force')
  const { status, body } = await pull<Problem>()
  expect([status, body.code]).toEqual([409, 'conflict'])
  expect(body.detail).toMatch(/history was rewritten/)
  expect(await stepsOfRun()).toEqual(['theirs'])
})

it('credentials are in no output, whatever the remote answers', async () => {
  const server: Server = createServer((_, response) => response.writeHead(403).end('no'))
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  git(checkout, 'remote', 'set-url', 'origin', `http://ada:hunter2@127.0.0.1:${port}/repo.git?token=s3cret`)
  const stream = watch(reporter(), '/api/compile/stream')
  const { status, body } = await pull<Problem>()
  expect([status, body.code]).toEqual([409, 'conflict'])
  expect(body.detail).toMatch(/cannot be fetched/)
  await expect.poll(() => stream.messages.some(({ type }) => type === 'outcome')).toBe(true)
  const said = JSON.stringify([body, stream.messages]) + reporter().log()
  expect(said).not.toMatch(/hunter2|s3cret/)
  server.close()
})

it('a folder that is no checkout has nothing to pull', async () => {
  const lone = join(root, 'lone')
  mkdirSync(lone)
  await fleet.reporter('r2', { ONRUSH_SIMULATIONS: lone })
  const answer = await ask<Problem>(fleet.service('r2'), 'POST', '/api/compile', { pull: true })
  expect(answer).toMatchObject({
    status: 409,
    body: { code: 'conflict', detail: expect.stringContaining('no git checkout') },
  })
})

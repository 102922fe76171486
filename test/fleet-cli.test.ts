import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Report } from '@onrush/protocol/report'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, ended, Fleet, isBalanced, until } from './support/fleet.ts'

const main = resolve(import.meta.dirname, '../services/cli/src/main.ts')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onrush-cli-'))
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }))

function onrush(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const result = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[code], out, err]) => ({ code: code as number | null, out, err }),
  )
  return { child, result }
}

describe('onrush up --demo', () => {
  it('brings up a whole fleet with a first run, and ends it in order', async () => {
    const { child, result } = onrush(['up', '--workers', '2', '--port', '0', '--demo', '--data', 'up'])
    let said = ''
    child.stdout.setEncoding('utf8').on('data', chunk => {
      said += chunk
    })
    const found = /(http:\S+)\/report\/(\S+)\s/
    while (!found.test(said) && child.exitCode === null) await sleep(100)
    const [, url = '', runId = ''] = found.exec(said) ?? []
    const running = async () =>
      (await ask<{ status: string }>(url, 'GET', `/api/job/${runId}`)).body.status === 'running'
    while (!(await running())) await sleep(100)
    // On 7090, or elsewhere when somebody has that.
    expect(said).toMatch(/^demo target on http:\/\/127\.0\.0\.1:\d+, gRPC on 127\.0\.0\.1:\d+$/m)
    child.kill('SIGINT')
    expect((await result).code).toBe(0)
    const report = Report.parse(JSON.parse(await readFile(join(folder, 'up/reports', runId, 'report.json'), 'utf8')))
    expect([report.status, report.workers.length, isBalanced(report)]).toEqual(['stopped', 2, true])
  })
})

describe('onrush run --remote', () => {
  let fleet: Fleet
  beforeAll(async () => {
    fleet = await Fleet.start({ workers: 2 })
  })
  afterAll(() => fleet?.stop())
  const remote = (...args: string[]) => onrush(['run', ...args, '--remote', fleet.service('r1').url])

  it('runs a script of the reporter, follows it, saves the report, and passes', async () => {
    const { code, out, err } = await remote('checkout', '-e', `shop=${fleet.target.url}`, '--out', 'kept').result
    expect([code, err]).toEqual([0, expect.stringContaining('checkout: running')])
    expect(out).toContain('item')
    expect((await readdir(join(folder, 'kept'))).sort()).toEqual([
      'index.html',
      'junit.xml',
      'log.ndjson',
      'report.json',
      'stats.csv',
    ])
  })

  it('sends data along, and fails on its thresholds', async () => {
    const spec = {
      generator: { lagP99: '1m', missed: 1 },
      thresholds: { duration: ['max<0'] },
      scenarios: [
        { name: 'browse', steps: [{ type: 'http', name: 'home', method: 'GET', url: `${fleet.target.url}/json` }] },
      ],
    }
    await writeFile(join(folder, 'strict.json'), JSON.stringify(spec))
    const { code, out } = await remote('strict.json', '-r', '20', '-d', '1s', '--json').result
    expect(code).toBe(99)
    expect(Report.parse(JSON.parse(out)).totals.requests).toBe(20)
  })

  it.each([
    ['a name that the reporter does not have', ['nowhere'], 104, 'there is no simulation "nowhere"'],
    ['a script that is broken there', ['broken'], 107, 'broken'],
    ['a flag of this machine', ['checkout', '--threads', '2'], 104, '--threads'],
    ['half a load', ['checkout', '--rate', '5'], 104, '--duration'],
  ])('says what is wrong with %s', async (_, args, code, words) => {
    const result = await remote(...args).result
    expect([result.code, result.err]).toEqual([code, expect.stringContaining(words)])
  })

  it('says that nobody is there', async () => {
    const { code, err } = await onrush(['run', 'checkout', '--remote', 'http://127.0.0.1:1']).result
    expect([code, err]).toEqual([1, expect.stringContaining('cannot be reached')])
  })

  it('stops the run on a signal, and still prints the summary', async () => {
    const { child, result } = remote('checkout', '-e', `shop=${fleet.target.url}`, '-r', '20', '-d', '60s')
    let said = ''
    child.stderr.setEncoding('utf8').on('data', chunk => {
      said += chunk
    })
    const found = /\/report\/(\S+)\s/
    while (!found.test(said) && child.exitCode === null) await sleep(50)
    const [, runId = ''] = found.exec(said) ?? []
    await until(fleet.service('r1'), runId, job => (job.totals?.requests ?? 0) > 0)
    child.kill('SIGINT')
    const { code, out } = await result
    expect([code, out]).toEqual([105, expect.stringContaining('item')])
    expect((await ended(fleet.service('r1'), runId)).status).toBe('stopped')
  })
})

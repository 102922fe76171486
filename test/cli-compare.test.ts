import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type DemoTarget, startDemoTarget } from '@onrush/servers/demo-target'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openBrowser, openPage, textOf } from './support/browser.ts'
import { cli, folderWith } from './support/cli.ts'

let target: DemoTarget
beforeAll(async () => {
  target = await startDemoTarget()
})
afterAll(() => target.stop())

async function runs(...latencies: readonly number[]): Promise<string> {
  const folder = await folderWith()
  for (const [i, ms] of latencies.entries()) {
    const args = ['quick', `${target.url}/slow?ms=${ms}`, '-q', '20', '-z', '7s', '--quiet', '--out', `run${i}`]
    // A machine that is busy with other tests may send late and say so; the runs can be compared all the same.
    expect([0, 96]).toContain((await cli(args, { cwd: folder })).code)
  }
  return folder
}

it('finds a slower target, names it first, and answers 99 when it must not be', async () => {
  const cwd = await runs(10, 200)
  const plain = await cli(['compare', 'run0', 'run1'], { cwd })
  expect(plain.code).toBe(0)
  expect(plain.out).toMatch(/^A {3}quick-\S+\nB {3}quick-\S+\n/)
  const first = plain.out.split('\n').find(line => line.includes('✗ worse'))
  expect(first).toMatch(/\+\d[\d ]*\.?\d* %/)
  expect(plain.out.indexOf('✗ worse')).toBeLessThan(plain.out.indexOf('within noise'))

  const failing = await cli(
    ['compare', 'run0/report.json', 'run1/log.ndjson', '--fail-on', 'service:med>+5%', '--fail-on', 'failed:rate>+1%'],
    { cwd },
  )
  expect(failing.code).toBe(99)
  expect(failing.out).toMatch(/✗ failed {2}service:med>\+5%: [\d.]+ m?s → [\d.]+ m?s/)
  expect(failing.out).toMatch(/✓ passed {2}failed:rate>\+1%: 0 → 0/)
  expect(failing.out).not.toMatch(/[\u00a0\u202f]/)

  const better = await cli(['compare', 'run1', 'run0', '--fail-on', 'service:med>+5%', '--json'], { cwd })
  expect(better.code).toBe(0)
  expect(JSON.parse(better.out)).toMatchObject({
    runs: [expect.any(String), expect.any(String)],
    failOn: [{ failed: false }],
  })

  const page = await cli(['compare', 'run0', 'run1', '--html', 'pages/compared.html'], { cwd })
  expect([page.code, page.err]).toEqual([0, ''])
  expect(page.out).toContain('pages/compared.html')
  const browser = await openBrowser()
  onTestFinished(() => browser.close())
  const file = pathToFileURL(join(cwd, 'pages/compared.html')).href
  const asked: string[] = []
  const seen = await openPage(browser, 'about:blank')
  seen.on('request', request => asked.push(request.url()))
  await seen.context().setOffline(true)
  await seen.goto(file)
  await seen.getByText(/become worse by more than noise/).waitFor()
  expect(asked).toEqual([file])
  expect(await textOf(seen, 'tbody tr:first-child')).toContain('✗ worse')
  expect(await seen.locator('.compared-runs .card').count()).toBe(2)
  expect(seen.complaints).toEqual([])

  const nowhere = await cli(['compare', 'run0', 'run1', '--html', 'run0/report.json/page.html'], { cwd })
  expect([nowhere.code, nowhere.out]).toEqual([104, ''])
  expect(nowhere.err).toContain('the page cannot be written to run0/report.json/page.html')

  await cp(join(cwd, 'run0'), join(cwd, 'same'), { recursive: true })
  const same = await cli(['compare', 'run0', 'same', 'run1'], { cwd })
  expect(same.out).toMatch(/^B1 {2}quick-\S+\nB2 {2}quick-/m)
})

it.each([
  [['compare', 'one'], /expected those to hold against it/],
  [['compare', 'none', 'none'], /there is no none/],
  [['compare', 'file', 'file'], /to be a report\.json, got no JSON/],
  [['compare', 'file', 'file', '--fail-on', 'p95 up'], /expected a difference like/],
  [['compare', ...'abcdef'], /at most 5 reports/],
  [['report', 'file'], /no run log that can be read/],
  [['report', 'empty'], /there is no empty/],
])('answers 104 for %j', async (args, message) => {
  const cwd = await folderWith({ file: 'no JSON' })
  const { code, err, out } = await cli(args, { cwd })
  expect(err).toMatch(message)
  expect([code, out]).toEqual([104, ''])
})

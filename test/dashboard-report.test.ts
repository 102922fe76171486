import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Report } from '@onrush/protocol/report'
import { toComparePage, toPage } from '@onrush/report/page'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildReport } from '../libs/report/src/build-report.ts'
import { sampleRun } from '../libs/report/src/sample-run.testing.ts'
import { barriers, numberIn, openBrowser, openPage, overflow, phone, shoot, textOf } from './support/browser.ts'

const root = resolve(import.meta.dirname, '..')
let browser: Browser
let folder: string

beforeAll(async () => {
  browser = await openBrowser()
  folder = await mkdtemp(join(tmpdir(), 'onrush-report-'))
})
afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
})

async function fileOf(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return pathToFileURL(path).href
}

const ordinary: Report = buildReport(sampleRun({ seconds: 60, workers: 2 }))

it('is made of the sources as they are', { timeout: 240_000 }, async () => {
  const dashboard = join(root, 'services/dashboard')
  const require = createRequire(join(dashboard, 'package.json'))
  const vite = join(dirname(require.resolve('vite/package.json')), 'bin/vite.js')
  const args = [vite, 'build', '--config', 'report.vite.config.ts', '--mode', 'production', '--outDir', folder]
  await promisify(execFile)(process.execPath, args, { cwd: dashboard, env: { PATH: process.env.PATH } })
  const built = await readFile(join(folder, 'template.html'), 'utf8')
  const kept = await readFile(join(root, 'libs/report/src/page/template.html'), 'utf8')
  // Not `toBe`: a difference of a hundred kilobytes would be printed.
  expect(built === kept, 'the template is older than its sources: run `npm run build -w @onrush/dashboard`').toBe(true)
})

describe('a report that is opened from a file', () => {
  it('shows what was measured, and asks for nothing', async () => {
    const asked: string[] = []
    const page = await openPage(browser, 'about:blank')
    page.on('request', request => asked.push(request.url()))
    const url = await fileOf('ordinary.html', toPage(ordinary))
    await page.goto(url)
    await page.locator('#setting').waitFor()
    expect(asked).toEqual([url])
    expect(page.complaints).toEqual([])
    expect(await textOf(page, '.verdict')).toContain(ordinary.verdict)
    expect(numberIn((await textOf(page, '.figure:first-child span')).replace('requests, ', ''))).toBe(
      ordinary.totals.requests,
    )
    const cells = await page.locator('#steps tbody tr').allTextContents()
    expect(cells).toHaveLength(ordinary.summary.steps.length)
    for (const [i, step] of ordinary.summary.steps.entries()) {
      expect(cells[i]?.replaceAll('\u202f', '')).toContain(`${step.step}${step.count}`)
    }
  })

  it('opens its script, with its lines numbered', async () => {
    const source = "import { http } from 'onrush'\n// </script> says <b>nothing</b>\nexport default 7\n"
    const run = { ...ordinary.run, simulation: { ...ordinary.run.simulation, file: 'team/a.ts', source } }
    const page = await openPage(browser, await fileOf('script.html', toPage({ ...ordinary, run })))
    await page.getByText('The script, 3 lines').click()
    const script = page.getByRole('region', { name: 'The source of team/a.ts' })
    await script.locator('.code-comment', { hasText: '// </script> says <b>nothing</b>' }).waitFor()
    expect(await script.locator('.line code').allTextContents()).toEqual(source.trimEnd().split('\n'))
    await shoot(page, 'report-script-desktop-light')
    expect([await barriers(page), page.complaints]).toEqual([[], []])
  })

  it('sorts its steps, and finds them', async () => {
    const steps = Array.from({ length: 12 }, (_, i) => `step number ${i}`)
    const page = await openPage(
      browser,
      await fileOf('steps.html', toPage(buildReport(sampleRun({ seconds: 20, steps })))),
    )
    await page.getByRole('searchbox', { name: 'Search for a step' }).fill('number 1')
    expect(await page.locator('#steps tbody tr').count()).toBe(3)
    await page.getByRole('searchbox').fill('')
    const p95 = async () =>
      (await page.locator('#steps tbody td:nth-child(6)').allTextContents()).map(text => Number.parseFloat(text))
    await page.getByRole('button', { name: 'p95', exact: true }).click()
    const falling = await p95()
    expect(falling).toEqual(falling.toSorted((a, b) => b - a))
    await page.getByRole('button', { name: /^p95/ }).click()
    expect(await p95()).toEqual(falling.toReversed())
  })

  it('tells the verdict and the numbers without its script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(await fileOf('plain.html', toPage(ordinary)))
    const text = await page.locator('main').textContent()
    await context.close()
    expect(text).toContain(`${ordinary.verdict} after`)
    expect(text).toContain('The generator kept up')
    for (const { step } of ordinary.summary.steps) expect(text).toContain(step)
  })

  it('runs no markup that a target answered with', async () => {
    const evil =
      '<img src=x onerror="document.title=\'broken in\'"></script><script>document.title="broken in"</script>'
    const [failure, ...failures] = ordinary.failures
    if (failure === undefined) throw new Error('the sample has failures')
    const run = { ...ordinary.run, name: evil, command: evil, simulation: { ...ordinary.run.simulation, source: evil } }
    const page = await openPage(
      browser,
      await fileOf(
        'evil.html',
        toPage({ ...ordinary, run, notes: [evil], failures: [{ ...failure, kind: evil }, ...failures] }),
      ),
    )
    await page.locator('#setting').waitFor()
    expect(await page.title()).toBe(`${evil}: ${ordinary.verdict}`)
    expect(await page.locator('img').count()).toBe(0)
    expect(page.complaints).toEqual([])
  })

  it('is white on paper', async () => {
    const page = await openPage(browser, await fileOf('paper.html', toPage(ordinary)), { theme: 'dark' })
    await page.locator('#setting').waitFor()
    const pdf = await page.pdf({ format: 'A4' })
    expect(pdf.byteLength).toBeGreaterThan(10_000)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.tools').first().isVisible()).toBe(false)
  })

  it('compares runs in the same way', async () => {
    const slower = buildReport(sampleRun({ seconds: 60, workers: 2, slower: 1.5 }))
    const page = await openPage(browser, await fileOf('compare.html', toComparePage([ordinary, slower])))
    await page.getByText(/become worse by more than noise/).waitFor()
    expect(await textOf(page, 'tbody tr:first-child')).toContain('✗ worse')
    expect(await barriers(page)).toEqual([])
    expect(page.complaints).toEqual([])
  })

  it.each([
    [1280, 'light'],
    [1280, 'dark'],
    [phone, 'light'],
  ] as const)('can be used by everybody at %d px, %s', async (width, theme) => {
    const lost = { id: 'w2', status: 'lost' as const, lost: { at: 31_000, takenOver: false }, error: 'no word for 5 s' }
    const workers = ordinary.workers.map(worker => (worker.id === 'w2' ? { ...worker, ...lost } : worker))
    const report: Report = { ...ordinary, workers, notes: ['w1: the rows of users.csv were used up'] }
    const page = await openPage(browser, await fileOf('looks.html', toPage(report)), { width, theme })
    await page.locator('#setting').waitFor()
    await shoot(page, `report-file-${width === phone ? 'phone' : 'desktop'}-${theme}`)
    await page.getByText('Worker w2 was lost after 31 s').waitFor()
    expect(await barriers(page)).toEqual([])
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(page.complaints).toEqual([])
  })
})

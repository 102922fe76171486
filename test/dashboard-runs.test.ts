import { setTimeout as sleep } from 'node:timers/promises'
import { buildDashboard } from '@onrush/servers/dashboard-build'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { field, numberIn, openBrowser, openPage, textOf } from './support/browser.ts'
import { ended, Fleet, reportOf } from './support/fleet.ts'

let fleet: Fleet
let browser: Browser

beforeAll(async () => {
  await buildDashboard()
  ;[fleet, browser] = await Promise.all([Fleet.start({ workers: 2 }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await fleet?.stop()
})

const page = (hash = '', look = {}) => openPage(browser, `${fleet.service('r1').url}/${hash}`, look)

it('shows where to begin when nothing has run, and begins there', async () => {
  const first = await page()
  await first.getByRole('heading', { name: 'Nothing has run yet' }).waitFor()
  await first.getByRole('main').getByRole('link', { name: 'New run' }).click()
  await first.getByRole('heading', { name: 'New run' }).waitFor()
  expect(first.complaints).toEqual([])
})

it('starts a run from the form, moves with it, stops it, and shows its report', async () => {
  await fleet.target.resetStats()
  const form = await page('#/new')
  await field(form, 'URL').fill(`${fleet.target.url}/json`)
  await field(form, 'Name').fill('from the form')
  await field(form, 'Assertions').fill('$.status = 200')
  await field(form, 'per second').fill('40')
  await field(form, 'for').fill('5m')
  await expect.poll(() => textOf(form, '.profile-sentence')).toBe('12 000 sessions in 5 m, at most 40.0 /s')
  await expect.poll(() => textOf(form, '.command pre')).toContain('"rate":40,"duration":"5m"')
  await form.getByRole('button', { name: 'Start the run' }).click()

  await form.getByRole('heading', { name: 'from the form' }).waitFor()
  const requests = async () => numberIn((await textOf(form, '.figure:first-child span')).replace('requests, ', ''))
  await expect.poll(requests).toBeGreaterThan(20)
  const before = await requests()
  await expect.poll(requests).toBeGreaterThan(before)
  expect(await form.getByRole('progressbar').getAttribute('aria-valuenow')).toMatch(/^\d+$/)

  // The address of the report leads here until there is one.
  const running = decodeURIComponent(new URL(form.url()).hash.split('/')[2] ?? '')
  const early = await openPage(browser, `${fleet.service('r1').url}/report/${running}`)
  await early.getByRole('heading', { name: 'from the form' }).waitFor()
  expect(early.url()).toBe(form.url())

  await form.getByRole('button', { name: 'Stop' }).click()
  await form.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await form.getByRole('button', { name: 'Stop' }).click()
  await form.getByRole('dialog').getByRole('button', { name: 'Stop the run' }).click()
  await form.getByText(/^stopped after/).waitFor({ timeout: 60_000 })

  const runId = decodeURIComponent(new URL(form.url()).hash.split('/')[2] ?? '')
  expect((await ended(fleet.service('r1'), runId)).status).toBe('stopped')
  const report = await reportOf(fleet.service('r1'), runId)
  const stats = await fleet.target.stats()
  await expect.poll(requests).toBe(report.totals.requests)
  expect(report.totals.requests).toBe(stats.routes['GET /json']?.seen ?? stats.seen)
  expect(form.complaints).toEqual([])

  const file = await openPage(browser, `${fleet.service('r1').url}/report/${runId}`)
  await file.getByRole('heading', { name: 'from the form' }).waitFor()
  expect(numberIn((await textOf(file, '.figure:first-child span')).replace('requests, ', ''))).toBe(stats.seen)
  expect(await textOf(file, '.verdict')).toContain(report.verdict)
  expect(file.complaints).toEqual([])
})

it('says what is wrong with a form, and where', async () => {
  const form = await page('#/new')
  await field(form, 'URL').fill('not an address')
  await form.getByRole('button', { name: 'Start the run' }).click()
  await form.getByText('expected an absolute URL').waitFor()
  await field(form, 'URL').fill(`${fleet.target.url}/json`)
  await field(form, 'per second').fill('many')
  await form.getByText('expected a number, got "many"').waitFor()
  await form.getByRole('button', { name: 'Start the run' }).click()
  await form.getByText('There is a fault above').waitFor()
  expect(new URL(form.url()).hash).toBe('#/new')
})

it('begins a past run again with what it was begun with', async () => {
  const list = await page('#/runs')
  await list.getByRole('link', { name: 'Run again: from the form' }).click()
  await expect.poll(() => field(list, 'URL').inputValue()).toBe(`${fleet.target.url}/json`)
  await expect.poll(() => field(list, 'Assertions').inputValue()).toBe('$.status = 200')
  await expect.poll(() => field(list, 'per second').inputValue()).toBe('40')
})

it('is used by keyboard alone', async () => {
  const keys = await page('#/new')
  await field(keys, 'URL').waitFor()
  const focused = (): Promise<string> =>
    keys.evaluate(
      "(e => e?.getAttribute('aria-label') ?? e?.labels?.[0]?.innerText ?? e?.innerText ?? '')(document.activeElement)",
    )
  const focus = async (name: RegExp, most = 60) => {
    for (let i = 0; i < most; i++) {
      await keys.keyboard.press('Tab')
      if (name.test(await focused())) return
    }
    throw new Error(`Tab does not lead to ${name}`)
  }
  await focus(/^URL/)
  await keys.keyboard.type(`${fleet.target.url}/json`)
  await focus(/^Name/)
  await keys.keyboard.type('by keyboard')
  await focus(/^per second/)
  await keys.keyboard.press('Control+A')
  await keys.keyboard.type('20')
  await focus(/^Start the run/)
  await keys.keyboard.press('Enter')
  await keys.getByRole('heading', { name: 'by keyboard' }).waitFor()
  await keys.locator('.plot').first().waitFor({ timeout: 60_000 })
  await focus(/^Plan against actual/)
  await keys.keyboard.press('ArrowRight')
  await keys
    .getByText(/^at \d/)
    .first()
    .waitFor()
  await keys.keyboard.press('Home')
  await keys.evaluate('document.activeElement.blur(), window.scrollTo(0, 0)')
  await focus(/^Stop$/)
  await keys.keyboard.press('Enter')
  await keys.getByRole('dialog').waitFor()
  await keys.keyboard.press('Escape')
  await expect.poll(() => keys.getByRole('dialog').count()).toBe(0)
  // Closed, it gives the focus back to what opened it.
  await expect.poll(focused).toBe('Stop')
  await keys.keyboard.press('Enter')
  await keys.getByRole('dialog').waitFor()
  await focus(/^Stop the run/, 5)
  await keys.keyboard.press('Enter')
  await keys.getByText(/^stopped after/).waitFor({ timeout: 60_000 })
})

it('shows a live run again after its reporter has gone and come back', async () => {
  const form = await page('#/new')
  await field(form, 'URL').fill(`${fleet.target.url}/json`)
  await field(form, 'Name').fill('outlives its reporter')
  await field(form, 'per second').fill('20')
  await field(form, 'for').fill('2m')
  await form.getByRole('button', { name: 'Start the run' }).click()
  const requests = async () => numberIn((await textOf(form, '.figure:first-child span')).replace('requests, ', ''))
  await expect.poll(requests).toBeGreaterThan(20)
  const { port } = new URL(fleet.service('r1').url)
  await fleet.service('r1').kill()
  await form.getByText('The reporter has not answered since').waitFor({ timeout: 60_000 })
  const old = await requests()
  expect(old).toBeGreaterThan(20)
  await sleep(1000)
  await fleet.reporter('r1', { ONRUSH_PORT: port })
  await form.getByText('The reporter has not answered since').waitFor({ state: 'detached', timeout: 60_000 })
  await expect.poll(requests).toBeGreaterThan(old)
  await form.getByRole('button', { name: 'Stop' }).click()
  await form.getByRole('dialog').getByRole('button', { name: 'Stop the run' }).click()
  await form.getByText(/^stopped after/).waitFor({ timeout: 60_000 })
})

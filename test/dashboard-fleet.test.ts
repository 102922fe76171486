import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDashboard } from '@onrush/servers/dashboard-build'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { barriers, openBrowser, openPage, overflow, phone, shoot } from './support/browser.ts'
import { ask, ended, Fleet, start } from './support/fleet.ts'

let fleet: Fleet
let browser: Browser
let folder: string

const script = (extra = '') => `import { simulation, scenario, http, constantRate } from 'onrush'

export default simulation({
  description: 'One page',
  scenarios: [
    scenario('visitor', {
      inject: [constantRate(1, '1s')],
      steps: [http.get('page', 'http://127.0.0.1:7090/json')],
    }),
  ],${extra}
})
`

beforeAll(async () => {
  await buildDashboard()
  folder = await mkdtemp(join(tmpdir(), 'onrush-simulations-'))
  await writeFile(join(folder, 'visit.ts'), script())
  ;[fleet, browser] = await Promise.all([
    Fleet.start({ workers: 3, env: { ONRUSH_SIMULATIONS: folder } }),
    openBrowser(),
  ])
})
afterAll(async () => {
  await browser?.close()
  await fleet?.stop()
  await rm(folder, { recursive: true, force: true })
})

const page = (hash: string) => openPage(browser, `${fleet.service('r1').url}/${hash}`)

it('names a worker that is lost, while the run goes on and in its report', async () => {
  const body = {
    name: 'loses one',
    url: `${fleet.target.url}/json`,
    rate: 30,
    duration: '120s',
    onWorkerLoss: 'continue',
  }
  const { runId } = await start(fleet.service('r1'), '/api/single', body)
  const live = await page(`#/runs/${runId}`)
  await live.locator('.plot').first().waitFor({ timeout: 30_000 })
  await fleet.service('w2').kill()
  await live.getByRole('alert').getByText('w2').waitFor({ timeout: 60_000 })
  await live.getByRole('listitem').getByText('w2 lost').waitFor()
  await shoot(live, 'run-live-desktop-light')
  await ask(fleet.service('r1'), 'DELETE', `/api/job/${runId}`)
  await ended(fleet.service('r1'), runId)
  await live.getByText(/^stopped after/).waitFor({ timeout: 60_000 })
  await live.getByText(/Worker w2 was lost after/).waitFor()
  const workers = await page('#/workers')
  await workers.getByText('2, all idle').waitFor({ timeout: 30_000 })
})

it('compiles, and shows what is wrong with a script where it is wrong', async () => {
  const simulations = await page('#/simulations')
  await simulations.getByRole('link', { name: 'visit', exact: true }).waitFor()
  await writeFile(join(folder, 'visit.ts'), script('\n  thresholdz: { duration: ["p(95)<500"] },'))
  await simulations.getByRole('button', { name: 'Compile' }).click()
  const console = simulations.getByRole('log')
  await console
    .getByText(/thresholdz/)
    .first()
    .waitFor({ timeout: 60_000 })
  await console
    .getByText(/visit\.ts:\d+/)
    .first()
    .waitFor()
  await simulations.getByText(/✗ .*1 failed/).waitFor()
  await shoot(simulations, 'compile-desktop-light')
  await simulations
    .getByRole('log')
    .getByRole('link', { name: /visit\.ts:\d+/ })
    .first()
    .click()
  await simulations
    .locator('.line.wrong.named')
    .getByText(/thresholdz/)
    .first()
    .waitFor()
  await simulations.goBack()
  await writeFile(join(folder, 'visit.ts'), script())
  await simulations.getByRole('button', { name: 'Compile' }).click()
  // The folder is watched: whoever saw the change first has compiled it, and the other finds nothing left to do.
  await simulations.getByText(/✓ \d+ compiled/).waitFor({ timeout: 60_000 })
})

it('shows a source with its faults where they are, and beside it the version that runs', async () => {
  await writeFile(join(folder, 'visit.ts'), script("\n  // the shop's own\n  thresholdz: {},"))
  const list = await page('#/simulations')
  await list.getByRole('rowheader', { name: 'visit' }).getByRole('link').focus()
  await list.getByRole('row', { name: /visit/ }).locator('.word.failed').waitFor({ timeout: 60_000 })
  await list.keyboard.press('Enter')
  const source = list.getByRole('region', { name: 'The source of visit.ts' })
  await source.locator('.code-comment', { hasText: "the shop's own" }).waitFor()
  await source
    .locator('.line.wrong', { has: list.getByText('  thresholdz: {},', { exact: true }) })
    .locator('.line-fault', { hasText: /'thresholdz' does not exist/ })
    .waitFor()

  await list
    .getByRole('alert')
    .getByRole('link', { name: /visit\.ts:\d+/ })
    .first()
    .focus()
  await list.keyboard.press('Enter')
  await list.waitForFunction('document.activeElement.matches(".line.wrong.named")')
  const address = list.url()
  expect(address).toMatch(/#\/simulations\/visit\?file=visit\.ts&line=\d+$/)
  const again = await openPage(browser, address)
  await again.locator('.line.wrong.named').waitFor()

  await list.getByRole('button', { name: 'last good' }).click()
  await source.locator('.line', { hasText: 'One page' }).waitFor()
  expect(await list.locator('.line.wrong').count()).toBe(0)
  expect(await source.getByText('thresholdz').count()).toBe(0)
  await list.getByRole('button', { name: 'Copy the source of visit.ts' }).click()
  await list.getByRole('button', { name: 'Copied the source of visit.ts' }).waitFor()
  const small = await openPage(browser, address, { width: phone, theme: 'dark' })
  await small.locator('.line.wrong.named').waitFor()
  expect([await overflow(small), await barriers(small)]).toEqual([0, []])
  await shoot(small, 'simulation-mended-phone-dark')
  await writeFile(join(folder, 'visit.ts'), script())
  await list.getByRole('alert').waitFor({ state: 'detached', timeout: 60_000 })
  expect(list.complaints).toEqual([])
})

it('uploads a data file, previews and deletes it', async () => {
  const data = await page('#/data')
  await data.getByRole('button', { name: 'Upload', exact: true }).waitFor()
  await data.getByLabel('Files to upload').setInputFiles({
    name: 'users.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('user,password\nada,secret\ngrace,other\n'),
  })
  await data.getByRole('button', { name: 'users.csv', exact: true }).click()
  await data.getByRole('cell', { name: 'other' }).waitFor()
  await data.getByRole('button', { name: 'Delete users.csv' }).click()
  await data.getByRole('dialog').getByRole('button', { name: 'Delete the file' }).click()
  await data.getByRole('button', { name: 'users.csv', exact: true }).waitFor({ state: 'detached' })
})

it('saves a schedule from a new run, and removes it', async () => {
  const form = await page('#/new')
  await form.getByRole('textbox', { name: /^URL/ }).fill(`${fleet.target.url}/json`)
  await form.getByRole('link', { name: 'Schedule', exact: true }).click()
  await form.getByRole('textbox', { name: /^Name/ }).fill('nightly')
  await form.getByRole('button', { name: 'Save the schedule' }).click()
  await form.getByRole('rowheader', { name: 'nightly' }).waitFor()
  await form.getByText(`GET ${fleet.target.url}/json`).waitFor()
  await form.getByRole('button', { name: 'Remove nightly' }).click()
  await form.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await form.getByRole('rowheader', { name: 'nightly' }).waitFor({ state: 'detached' })
})

it('asks for a token where one is wanted, and says when it is wrong', async () => {
  const guarded = await fleet.reporter('guarded', { ONRUSH_TOKEN: 'open-sesame-open-sesame-open-sesame' })
  const door = await openPage(browser, guarded.url)
  const enter = async (token: string) => {
    await door.locator('input[type=password]').fill(token)
    await door.getByRole('button', { name: 'Log in' }).click()
  }
  await enter('not the token')
  await door.getByText(/not known|has expired/).waitFor()
  await enter('open-sesame-open-sesame-open-sesame')
  await door.getByRole('link', { name: 'Workers' }).click()
  await door.getByRole('heading', { name: 'Workers' }).first().waitFor()
  await door.getByRole('button', { name: /^Log out/ }).click()
  await door.locator('input[type=password]').waitFor()
})

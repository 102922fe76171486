import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDashboard } from '@onrush/servers/dashboard-build'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { barriers, type Look, openBrowser, openPage, overflow, phone, shoot, textOf } from './support/browser.ts'
import { ended, Fleet, start } from './support/fleet.ts'

let fleet: Fleet
let browser: Browser
let finished: readonly string[] = []

/** A shop's buyer, with what a report can show: thresholds that hold and fail, checks, failures, several steps. */
const simulation = (target: string, slow: number) => ({
  description: 'Log in, browse, buy',
  environments: { staging: { shop: target, region: 'eu-west' } },
  http: { baseUrl: '{{$._env.shop}}' },
  scenarios: [
    {
      name: 'buyer',
      inject: [
        { type: 'rampUsersPerSec', from: 1, to: 20, duration: '4s' },
        { type: 'constantUsersPerSec', rate: 20, duration: '8s' },
      ],
      steps: [
        {
          type: 'http',
          name: 'log in',
          method: 'POST',
          url: '/login',
          body: { user: 'ada', password: 'secret' },
          assert: { '$.status': 200, '$.entity.token': { $type: 'string' } },
          export: { token: '$.entity.token' },
        },
        { type: 'pause', for: '200ms' },
        { type: 'http', name: 'list of items', method: 'GET', url: '/items?page=2', assert: { '$.status': 200 } },
        {
          type: 'http',
          name: 'item',
          method: 'GET',
          url: '/items/7',
          headers: { authorization: 'Bearer {{$._s.token}}' },
          assert: { '$.entity.price': { $gt: 0 } },
        },
        { type: 'http', name: 'recommendations', method: 'GET', url: `/slow?ms=${slow}` },
        { type: 'http', name: 'stock', method: 'GET', url: '/flaky?rate=0.05', onFailure: 'continue' },
      ],
    },
  ],
  thresholds: {
    duration: ['p(95)<2000', 'p(99)<2500'],
    failed: ['rate<0.001'],
    'duration{step:log in}': ['p(95)<2000'],
  },
  generator: { lagP99: '2s' },
})

const misspelt = { ...simulation('http://127.0.0.1:7090', 40), scenarios: [{ name: 'browser', stepz: [] }] }

const script = `import { constantRate, http, pause, scenario, simulation, step } from 'onrush'
import { itemOf } from './items.ts'

/** Looks around, buys nothing. */
export default simulation({
  description: 'Browse the shop',
  environments: {
    staging: { shop: 'http://127.0.0.1:7090', password: 'hunter2' },
  },
  scenarios: [
    scenario('visitor', {
      inject: [constantRate(25, '30s')],
      steps: [
        http.get('home', '{{$._env.shop}}/items?page=1', { assert: { '$.status': 200 } }),
        pause('200ms', '1.5s'), // as people do
        step('choose', session => {
          session.set('item', itemOf(session.random()))
        }),
        http.get('item', '{{$._env.shop}}/items/{{$._s.item}}', { headers: { accept: 'application/json' } }),
      ],
    }),
  ],
  thresholds: { duration: ['p(95)<250', 'p(99)<800'] },
})
`
const helper = 'export const itemOf = (chance: number): number => 1 + Math.floor(chance * 50)\n'

async function run(name: string, slow: number): Promise<string> {
  const spec = simulation(fleet.target.url, slow)
  const { runId } = await start(fleet.service('r1'), '/api/simulation', {
    simulation: spec,
    name,
    environment: 'staging',
  })
  await ended(fleet.service('r1'), runId)
  return runId
}

beforeAll(async () => {
  await buildDashboard()
  const folder = await mkdtemp(join(tmpdir(), 'onrush-simulations-'))
  await writeFile(join(folder, 'users.csv'), 'user,password\nada,one\ngrace,two\nlinus,three\n')
  const spec = simulation('http://127.0.0.1:7090', 40)
  await writeFile(join(folder, 'checkout.json'), JSON.stringify(spec))
  await writeFile(join(folder, 'broken.json'), JSON.stringify(misspelt, null, 2))
  await mkdir(join(folder, 'team'))
  await writeFile(join(folder, 'team/browse.ts'), script)
  await writeFile(join(folder, 'team/items.ts'), helper)
  ;[fleet, browser] = await Promise.all([
    Fleet.start({ workers: 2, env: { ONRUSH_SIMULATIONS: folder, ONRUSH_LABEL: 'rack 4' } }),
    openBrowser(),
  ])
  const body = {
    id: 'nightly-checkout',
    cron: '0 2 * * *',
    timezone: 'Europe/Berlin',
    simulation: { simulation: 'checkout' },
  }
  const saved = await fetch(`${fleet.service('r1').url}/api/schedules`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!saved.ok) throw new Error(await saved.text())
  finished = [await run('checkout', 20), await run('checkout', 120)]
})
afterAll(async () => {
  await browser?.close()
  await fleet?.stop()
})

const url = (path: string) => `${fleet.service('r1').url}/${path}`
const page = (path: string, look: Look = {}) => openPage(browser, url(path), look)

const looks = [
  { width: 1280, theme: 'light' },
  { width: 1280, theme: 'dark' },
  { width: phone, theme: 'light' },
  { width: phone, theme: 'dark' },
] as const

/** Each page, and what must be there before it is looked at. */
const pages: readonly (readonly [name: string, path: () => string, ready: string])[] = [
  ['runs', () => '#/runs', '.run-cell'],
  ['run', () => `#/runs/${finished[0]}`, '#setting'],
  ['compare', () => `#/compare?runs=${finished.join(',')}`, '.compared-runs'],
  ['new-run', () => '#/new', '.profile-chart svg'],
  ['new-simulation', () => '#/new?simulation=checkout', '.new-run'],
  ['simulations', () => '#/simulations', 'tbody tr'],
  ['simulation', () => '#/simulations/team/browse', '.source .code-keyword'],
  ['simulation-broken', () => '#/simulations/broken', '.line.wrong'],
  ['workers', () => '#/workers', 'tbody tr'],
  ['data', () => '#/data?file=users.csv', '[aria-label="The first rows of users.csv"] tbody tr'],
  ['schedules', () => '#/schedules', 'tbody tr'],
  ['queues', () => '#/queues', 'iframe'],
  ['nowhere', () => '#/nowhere', '.empty'],
  ['report', () => `report/${finished[0]}`, '#setting'],
]

describe.each(looks)('at $width px, $theme,', look => {
  it.each(pages)('%s can be used by everybody, and fits', async (name, path, ready) => {
    const seen = await page(path(), look)
    await seen.locator(ready).first().waitFor()
    await seen.evaluate('document.fonts.ready')
    await shoot(seen, `${name}-${look.width === phone ? 'phone' : 'desktop'}-${look.theme}`)
    expect(await barriers(seen)).toEqual([])
    expect(await overflow(seen)).toBeLessThanOrEqual(0)
    expect(seen.complaints).toEqual([])
  })
})

it('says so where the code of a page cannot be fetched, and can try again', async () => {
  const seen = await page('#/runs')
  await seen.route('**/assets/new-run-*', route => route.abort())
  await seen.goto(url('#/new'))
  await seen.getByRole('alert').getByText('This page could not be fetched').waitFor()
  await seen.unroute('**/assets/new-run-*')
  await seen.getByRole('button', { name: 'Load it again' }).click()
  await seen.getByRole('button', { name: 'Start the run' }).waitFor()
})

it('remembers the theme, and needs no flash of the other to do so', async () => {
  const seen = await page('#/runs')
  const ground = () => seen.evaluate('getComputedStyle(document.body).backgroundColor')
  const light = await ground()
  await seen.getByRole('button', { name: 'Make the page dark' }).click()
  await expect.poll(ground).not.toBe(light)
  const dark = await ground()
  await seen.reload({ waitUntil: 'commit' })
  await seen.waitForFunction('document.documentElement.dataset.theme === "dark"')
  await seen.getByRole('button', { name: 'Make the page light' }).waitFor()
  expect(await ground()).toBe(dark)
})

it('gives the same run of a script as a command, as far as flags can say it', async () => {
  const seen = await page('#/new?simulation=checkout')
  await seen.getByRole('button', { name: 'onrush', exact: true }).click()
  const line = `onrush run checkout --remote ${fleet.service('r1').url} --env staging`
  await seen.getByText(line, { exact: true }).waitFor()
  await seen.getByLabel("Another than the script's own").check()
  await seen.getByText('cannot say all of this').waitFor()
})

it('compares two runs, worse numbers first', async () => {
  const list = await page('#/runs')
  for (const runId of finished) await list.getByLabel(`Compare ${runId}`).check()
  await list.getByRole('button', { name: 'Compare 2' }).click()
  await list.getByText(/become worse by more than noise/).waitFor()
  expect(await textOf(list, '.compared-runs li:last-child')).toContain('baseline')
  expect(await textOf(list, 'tbody tr:first-child')).toContain('✗ worse')
  expect(await textOf(list, 'tbody tr:has-text("recommendations: p95")')).toContain('✗ worse')
})

it('opens at the very view that its address names', async () => {
  const seen = await page(
    `#/runs/${finished[0]}?step=${encodeURIComponent('buyer/item')}&from=send&scale=log&sort=-p95`,
  )
  await seen
    .getByRole('button', { name: /^only item/ })
    .first()
    .waitFor()
  expect(await seen.getByRole('columnheader', { name: /^p95/ }).first().getAttribute('aria-sort')).toBe('descending')
  expect(await seen.getByRole('button', { name: 'log', exact: true }).getAttribute('aria-pressed')).toBe('true')
  await seen
    .getByRole('button', { name: /^only item/ })
    .first()
    .click()
  await seen.getByText('from the sending of each request').waitFor()
  expect(await seen.getByRole('button', { name: 'from send' }).getAttribute('aria-pressed')).toBe('true')
})

it('zooms all charts together, and back', async () => {
  const seen = await page(`#/runs/${finished[0]}`)
  const plot = seen.locator('.plot .u-over').first()
  await plot.scrollIntoViewIfNeeded()
  const box = await plot.boundingBox()
  if (box === null) throw new Error('the chart is not shown')
  await seen.mouse.move(box.x + box.width * 0.3, box.y + 50)
  await expect.poll(() => seen.getByText(/^at \d/).count()).toBe(3)
  await seen.mouse.down()
  await seen.mouse.move(box.x + box.width * 0.6, box.y + 50, { steps: 4 })
  await seen.mouse.up()
  await expect.poll(() => seen.getByRole('button', { name: 'Whole run' }).count()).toBe(3)
  await seen.getByRole('button', { name: 'Whole run' }).last().click()
  await expect.poll(() => seen.getByRole('button', { name: 'Whole run' }).count()).toBe(0)
})

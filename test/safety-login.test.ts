import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { digestOf } from '@onrush/web/tokens'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openBrowser, openPage, type Seen } from './support/browser.ts'
import { Fleet, start } from './support/fleet.ts'

const operator = 'an-operators-token-for-tests'
const viewer = 'a-viewers-token-for-tests'

let fleet: Fleet
let browser: Browser
let tokensFile: string
let reportPath: string
const lineOf = (name: string, role: string, token: string) =>
  `${name} ${role} sha256:${digestOf(token).toString('hex')}\n`

beforeAll(async () => {
  tokensFile = join(await mkdtemp(join(tmpdir(), 'onrush-login-')), 'tokens')
  await writeFile(tokensFile, lineOf('ada', 'operator', operator) + lineOf('bob', 'viewer', viewer))
  fleet = await Fleet.start({ workers: 1, env: { ONRUSH_TOKENS_FILE: tokensFile } })
  browser = await openBrowser()
  const authorization = { authorization: `Bearer ${operator}` }
  const single = { name: 'looked-at', url: `${fleet.target.url}/json`, users: 1, duration: '1s' }
  const { runId, links } = await start(fleet.service('r1'), '/api/single', single, authorization)
  reportPath = links.report
  const url = `${fleet.service('r1').url}/api/job/${runId}`
  const job = async () =>
    expect(await (await fetch(url, { headers: authorization })).json()).toMatchObject({ status: 'finished' })
  await vi.waitFor(job, { timeout: 60_000, interval: 200 })
})
afterAll(async () => {
  await browser?.close()
  await fleet?.stop()
})

async function logIn(page: Seen, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Log in' }).click()
}

test('a link to a report from a chat leads to the login, and after it to the report, which runs under its policy', async () => {
  const page = await openPage(browser, `${fleet.service('r1').url}${reportPath}`)
  expect(new URL(page.url()).pathname).toBe('/login')
  await logIn(page, 'a wrong one')
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('not known')
  expect(new URL(page.url()).pathname).toBe('/login')
  await logIn(page, viewer)
  await page.waitForURL(url => url.pathname === reportPath)
  await page.getByRole('heading', { name: 'looked-at' }).first().waitFor()
  // A script or style that its policy forbids would be a complaint; the refused login is one of the browser's own.
  expect(page.complaints.filter(text => !text.includes('401'))).toEqual([])
  const kept = await page.context().cookies()
  expect(kept).toMatchObject([{ name: 'onrush_session', httpOnly: true, sameSite: 'Lax' }])
  expect(await page.evaluate('document.cookie')).toBe('')
})

test('an operator sees what acts, a viewer does not, and cannot', async () => {
  const of = async (token: string) => {
    const page = await openPage(browser, fleet.service('r1').url)
    await logIn(page, token)
    await page.getByRole('link', { name: 'looked-at' }).first().waitFor()
    return page
  }
  const acting = ['New run', 'Run again: looked-at']
  const seen = async (page: Seen) =>
    await Promise.all(acting.map(name => page.getByRole('link', { name }).first().isVisible()))
  const ada = await of(operator)
  await expect.poll(() => seen(ada)).toEqual([true, true])
  const bob = await of(viewer)
  expect(await seen(bob)).toEqual([false, false])
  for (const hash of ['#/simulations', '#/schedules', '#/workers', '#/new']) {
    await bob.goto(`${fleet.service('r1').url}/${hash}`)
    await bob.getByRole('heading').first().waitFor()
    const buttons = await bob.getByRole('button').all()
    const names = await Promise.all(
      buttons.map(async each => ((await each.isVisible()) ? ((await each.textContent()) ?? '') : '')),
    )
    expect(names.join('|'), hash).not.toMatch(/Stop|Start|Compile|Save|Remove|Run again/)
  }
  const headers = { 'content-type': 'application/json' }
  const refused = await bob
    .context()
    .request.post(`${fleet.service('r1').url}/api/stop`, { headers, data: '{"all":true}' })
  expect(refused.status()).toBe(403)
})

test('the live view of a run comes over a websocket that the login opens', async () => {
  const page = await openPage(browser, fleet.service('r1').url)
  await logIn(page, operator)
  await page.getByRole('link', { name: 'looked-at' }).first().waitFor()
  const first = await page.evaluate(`(async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'live', url: '${fleet.target.url}/json', users: 1, duration: '2s' })
    const { links } = await (await fetch('/api/single', { method: 'POST', headers, body })).json()
    return await new Promise(resolve => {
      const socket = new WebSocket(new URL(links.monitor, location.href.replace('http', 'ws')))
      socket.onmessage = event => resolve(JSON.parse(event.data).type)
      socket.onclose = event => resolve('closed ' + event.code)
    })
  })()`)
  expect(first).toBe('snapshot')
})

test('the queue dashboard works under its own policy, beside the page', async () => {
  const page = await openPage(browser, `${fleet.service('r1').url}/queues`)
  await logIn(page, viewer)
  await page.waitForURL(url => url.pathname.startsWith('/queues'))
  await page
    .getByRole('link', { name: /^runs\b/i })
    .first()
    .waitFor()
  expect(page.complaints.filter(text => /Content Security|refused to/i.test(text))).toEqual([])
})

test('logging out ends it, and so does the end of the token it was opened with', async () => {
  const page = await openPage(browser, fleet.service('r1').url)
  await logIn(page, viewer)
  await page.getByRole('button', { name: 'Log out bob' }).click()
  await page.getByRole('heading', { name: 'This reporter wants a token' }).waitFor()
  await page.reload()
  expect(new URL(page.url()).pathname).toBe('/login')
  await logIn(page, viewer)
  await page.getByRole('link', { name: 'looked-at' }).first().waitFor()
  await writeFile(tokensFile, lineOf('ada', 'operator', operator))
  await page.getByRole('heading', { name: 'This reporter wants a token' }).waitFor({ timeout: 20_000 })
})

import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { findChromium } from '@onrush/servers/chromium'
import type { AxeResults } from 'axe-core'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

const folder = join(resolve(import.meta.dirname, '../..'), 'screenshots')
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}

export interface Look {
  readonly width?: number
  readonly theme?: 'light' | 'dark'
}

export interface Seen extends Page {
  /** What the page has complained of: exceptions, and errors on the console. */
  readonly complaints: string[]
}

export const phone = 390

/** A page of its own, closed when the test ends. */
export async function openPage(
  browser: Browser,
  url: string,
  { width = 1280, theme = 'light' }: Look = {},
): Promise<Seen> {
  const small = width < 500
  const context = await browser.newContext({
    viewport: { width, height: small ? 844 : 900 },
    colorScheme: theme,
    isMobile: small,
    hasTouch: small,
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(String(error.stack ?? error)))
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(url)
  return Object.assign(page, { complaints })
}

/** Into the folder that people look at, and git does not. */
export async function shoot(page: Page, name: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

/** What a person with a screen reader, a keyboard or weak eyes would stumble over, in words. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const results: AxeResults = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
}

/** How far the page is wider than what shows it. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - window.innerWidth')

/** A field by how its label begins; hints and faults follow there. */
export const field = (page: Page, label: string): Locator =>
  page.getByRole('textbox', { name: new RegExp(`^${label}\\b`) })

/** What is written, with ordinary spaces. */
export async function textOf(page: Page, selector: string): Promise<string> {
  const text = (await page.locator(selector).first().textContent()) ?? ''
  return text.replaceAll(/[\u202f\u00a0]/g, ' ')
}

/** The number that a text begins with: `12 480 requests` is 12480. */
export const numberIn = (text: string): number => Number(/[\d ]*\d/.exec(text)?.[0].replaceAll(' ', '') ?? Number.NaN)

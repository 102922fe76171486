// What the page costs: its size (≤ 150 KB), the first paint of a live run (≤ 1 s), frames with 50 steps and an hour (60 /s).
import { once } from 'node:events'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Job } from '@onrush/protocol/job'
import type { JobMonitorMessage } from '@onrush/protocol/job-monitor'
import type { Latency, Point, StepSummary } from '@onrush/protocol/summary'
import { findChromium } from '@onrush/servers/chromium'
import { buildDashboard } from '@onrush/servers/dashboard-build'
import { type Browser, chromium, type Page } from 'playwright-core'
import { WebSocketServer } from 'ws'
import { markUseful, type Paints, paintsIn, traceCategories, usefulMark } from './dashboard/paints.ts'

const dist = join(import.meta.dirname, '../services/dashboard/dist')
const traces = join(import.meta.dirname, '../traces')
const steps = Array.from({ length: 50 }, (_, i) => `step ${i + 1} of a long scenario`)
const hour = 3_600_000
const runId = 'hour-20260102030405-abcdef'
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

const wave = (i: number, base: number) => base * (1 + 0.4 * Math.sin(i / 9) + 0.2 * Math.sin(i * 1.7))

function latency(base: number): Latency {
  const at = (factor: number) => base * factor
  return {
    count: 100_000,
    min: at(0.2),
    mean: at(1),
    stddev: at(0.5),
    max: at(9),
    p50: at(0.8),
    p75: at(1.2),
    p90: at(2),
    p95: at(3),
    p99: at(5),
    p999: at(8),
    p9999: at(9),
  }
}

function point(i: number, span: number, at: number): Point {
  const base = wave(i, 40)
  const quantiles = { p50: base * 0.8, p90: base * 2, p95: base * 3, p99: base * 5, max: base * 9 }
  const requests = Math.round(wave(i, (20 * span) / 10))
  return {
    at,
    span,
    requests,
    failed: Math.round(requests / 100),
    rate: (requests * 1000) / span,
    duration: quantiles,
    service: quantiles,
    bytesIn: 1_000_000,
    bytesOut: 100_000,
    started: Math.round(requests / 50),
    finished: Math.round(requests / 50),
    dropped: 0,
    late: 0,
    active: Math.round(wave(i, 300)),
    sendLag: 0.8,
  }
}

const measured = (i: number) => ({
  count: 100_000 + i,
  ok: 99_000,
  ko: 1_000 + i,
  rate: wave(i, 40),
  failed: 0.01,
  duration: latency(wave(i, 40)),
  service: latency(wave(i, 38)),
  bytesIn: 1e9,
  bytesOut: 1e8,
  status: [{ status: 200, count: 99_000 }],
  errors: [{ kind: 'status', count: 1_000 }],
  checks: [{ label: '$.status = 200', passed: 99_000, failed: 1_000 }],
})

const job: Job = {
  runId,
  name: 'an hour of fifty steps',
  kind: 'simulation',
  status: 'running',
  createdAt: '2026-01-02T03:04:05.000Z',
  startedAt: '2026-01-02T03:04:05.000Z',
  workers: [{ id: 'w1', status: 'running' }],
  plan: { durationMs: hour * 2, arrivals: 7_200_000 },
  links: { job: '', monitor: '', report: '' },
}

function soFar(i: number) {
  const rows = steps.map((step, n): StepSummary => ({ scenario: 'long', step, ...measured(i + n) }))
  const totals = {
    planned: 0,
    started: 1e6,
    finished: 1e6,
    interrupted: 0,
    dropped: 0,
    cancelled: 0,
    missed: 0,
    active: 300,
    requests: 5e6 + i,
    failed: 50_000,
  }
  const sessions = { started: 1e6, finished: 1e6, interrupted: 0, dropped: 0, late: 0, cancelled: 0, active: 300 }
  const summary = {
    elapsedMs: hour + i * 1000,
    whole: measured(i),
    steps: rows,
    groups: [],
    sessions,
    populations: [],
    generator: { sendLag: latency(1) },
    metrics: [],
    samples: [],
  }
  return {
    elapsedMs: hour + i * 1000,
    totals,
    summary,
    thresholds: [{ metric: 'duration', check: 'p(95)<500', abort: false, passed: true, value: 120 + i, detail: '' }],
    generator: { valid: true, reasons: [], warnings: [], sentence: '', missed: 0 },
    failures: rows.map(({ scenario, step }) => ({
      scenario,
      step,
      kind: 'status',
      count: 1_000,
      firstAt: 0,
      lastAt: hour,
    })),
    parts: [],
  }
}

/** What the server sends of an hour: 300 points of the whole and 240 of each step. */
function snapshot(): JobMonitorMessage {
  const at = (count: number) => Array.from({ length: count }, (_, i) => (i * hour) / count)
  return {
    type: 'snapshot',
    job,
    plan: { ...job.plan, populations: [], rate: at(240).map(ms => ({ at: ms * 2, value: 2_000 })), users: [] },
    series: at(300).map((ms, i) => point(i, hour / 300, ms)),
    stepSeries: steps.map((step, n) => ({
      scenario: 'long',
      step,
      at: at(240),
      span: hour / 240,
      requests: at(240).map(() => 500),
      failed: at(240).map(() => 5),
      p95: at(240).map((_, i) => wave(i + n, 120)),
    })),
    ...soFar(0),
  }
}

function second(i: number): JobMonitorMessage {
  const { runId: _, ...course } = { runId, ...soFar(i) }
  const stepPoints = steps.map(step => ({
    scenario: 'long',
    step,
    at: [hour + i * 1000],
    span: 1000,
    requests: [40],
    failed: [0],
    p95: [wave(i, 120)],
  }))
  return {
    type: 'second',
    runId,
    status: 'running',
    workers: job.workers,
    point: point(i, 1000, hour + i * 1000),
    stepPoints,
    ...course,
  }
}

async function serve(): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x')
    const json = pathname.startsWith('/api/') || pathname === '/healthz'
    if (json)
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(pathname === `/api/job/${runId}` ? job : []))
    else {
      const file = pathname === '/' ? '/index.html' : pathname
      response.setHeader('content-type', types[extname(file)] ?? 'text/plain').end(await readFile(join(dist, file)))
    }
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', socket => {
    let i = 0
    socket.send(JSON.stringify(snapshot()))
    const timer = setInterval(() => socket.send(JSON.stringify(second(++i))), 1000)
    socket.on('close', () => clearInterval(timer))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/#/runs/${runId}`,
    close: () => {
      for (const client of sockets.clients) client.terminate()
      server.close()
      server.closeAllConnections()
    },
  }
}

async function size(): Promise<number> {
  const files = await readdir(dist, { recursive: true, withFileTypes: true })
  const whole = files
    .filter(file => file.isFile())
    .map(async file => gzipSync(await readFile(join(file.parentPath, file.name))).length)
  return (await Promise.all(whole)).reduce((sum, bytes) => sum + bytes, 0)
}

/** Opens the run in a page of its own under Chromium's tracing, keeps the trace, and reads it. */
async function tracedOpening(browser: Browser, url: string, file: string): Promise<Paints> {
  const page = await (await browser.newContext()).newPage()
  await page.addInitScript(markUseful)
  await browser.startTracing(page, { path: file, categories: [...traceCategories] })
  await page.goto(url)
  await page.waitForFunction(`performance.getEntriesByName('${usefulMark}').length > 0`)
  const trace = await browser.stopTracing()
  await page.context().close()
  return paintsIn(JSON.parse(trace.toString('utf8')), new URL(url).origin)
}

interface Frames {
  readonly perSecond: number
  readonly longest: number
  readonly scripting: number
}

async function frames(page: Page, seconds: number): Promise<Frames> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
  const before = await busy()
  const times: number[] = await page.evaluate(`new Promise(done => {
    const times = []
    const end = performance.now() + ${seconds * 1000}
    const next = now => { times.push(now); now < end ? requestAnimationFrame(next) : done(times) }
    requestAnimationFrame(next)
  })`)
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0))
  return {
    perSecond: gaps.length / seconds,
    longest: Math.max(...gaps),
    scripting: ((await busy()) - before) / seconds,
  }
}

await buildDashboard({ say: text => console.log(text) })
const bytes = await size()
console.log(`bundle: ${(bytes / 1000).toFixed(1)} KB compressed (bar: 150)`)
const server = await serve()
const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox', '--disable-gpu'] })
await mkdir(traces, { recursive: true })
const openings: (Paints & { file: string })[] = []
for (let i = 1; i <= 5; i++) {
  const file = join(traces, `live-run-${i}.json`)
  openings.push({ ...(await tracedOpening(browser, server.url, file)), file })
}
const middle = openings.toSorted((a, b) => a.useful - b.useful)[2]
const paint = middle?.useful ?? Number.NaN
const listed = (of: (paints: Paints) => number) => openings.map(each => of(each).toFixed(0)).join(', ')
console.log(`a live run, an hour old, of 50 steps, by Chromium's own traces from the start of the navigation:
  first contentful paint: ${listed(({ contentful }) => contentful)} ms
  first useful paint (figures, charts and the first step): ${listed(({ useful }) => useful)} ms, median ${paint.toFixed(0)} ms (bar: 1000)
  what the page's main thread computed until then: ${listed(({ computed }) => computed)} ms
  the median's trace: ${middle?.file} (open it in DevTools, Performance, or at ui.perfetto.dev)`)
const page = await browser.newPage()
await page.goto(server.url)
await page.locator('.plot canvas').first().waitFor()
const { perSecond, longest, scripting } = await frames(page, 10)
console.log(
  `frames while it goes on: ${perSecond.toFixed(1)} /s, the longest ${longest.toFixed(0)} ms, busy ${(scripting * 100).toFixed(0)} % of a core (bar: 58 /s)`,
)
await browser.close()
server.close()
process.exitCode = bytes <= 150_000 && paint <= 1000 && perSecond >= 58 ? 0 : 1

import { Report } from '@onrush/protocol/report'
import { describe, expect, it } from 'vitest'
import { quickText } from '../quick/quick-text.ts'
import { painter } from '../terminal/paint.ts'
import { widthOf } from '../terminal/width.ts'
import { summaryText } from './summary-text.ts'

const latency = {
  count: 100,
  min: 1,
  mean: 20,
  stddev: 1,
  max: 99,
  p50: 20,
  p75: 30,
  p90: 40,
  p95: 50,
  p99: 80,
  p999: 99,
  p9999: 99,
}
const measured = {
  count: 100,
  ok: 90,
  ko: 10,
  rate: 10,
  failed: 0.1,
  duration: latency,
  service: latency,
  bytesIn: 10_000,
  bytesOut: 500,
  status: [{ status: 200, count: 90 }],
  errors: [{ kind: 'timeout_total', count: 10 }],
  checks: [{ label: '$.status $eq 200', passed: 90, failed: 0 }],
}
const counted = { started: 50, finished: 48, interrupted: 2, dropped: 0, cancelled: 0, active: 0 }
const sessions = { ...counted, late: 0 }
const machine = { hostname: 'h', platform: 'linux x64', cpu: 'c', cores: 2, memory: 1, node: '24', onrush: '0' }

const report: Report = Report.parse({
  v: 1,
  run: {
    type: 'start',
    v: 1,
    runId: 'shop-20260102030405-abcdef',
    name: 'shop',
    kind: 'simulation',
    startedAt: '2026-01-02T03:04:05Z',
    simulation: { hash: 'h' },
    environment: { values: {} },
    seed: 1,
    populations: [{ name: 'a', scenarios: ['a'], inject: [{ type: 'atOnceUsers', users: 50 }] }],
    machine,
    workers: [{ id: 'local', threads: 1, share: 1 }],
    warnings: [],
  },
  status: 'finished',
  verdict: 'failed',
  endedAt: '2026-01-02T03:04:15Z',
  elapsedMs: 10_000,
  plan: { durationMs: 10_000, arrivals: 50, populations: [], rate: [], users: [] },
  thresholds: [
    {
      metric: 'duration',
      check: 'p(95)<40',
      abort: false,
      passed: false,
      value: 50,
      detail: '',
      over: 5000,
      failedAt: 7000,
    },
    { metric: 'failed', check: 'rate<0.5', abort: false, passed: true, value: 0.1, detail: '' },
  ],
  generator: { valid: true, reasons: [], warnings: [], sentence: 'The generator kept up.', missed: 0 },
  totals: { planned: 50, missed: 0, ...counted, requests: 100, failed: 10 },
  summary: {
    elapsedMs: 10_000,
    whole: measured,
    steps: [
      { scenario: 'a', step: 'log in', ...measured },
      { scenario: 'a', step: 'evil\x1b[2J\nname', ...measured },
    ],
    groups: [],
    sessions,
    populations: [],
    generator: {},
    metrics: [{ name: 'orders', kind: 'counter', tags: [], sum: 7, perSecond: 0.7 }],
    samples: [],
  },
  distribution: [],
  failures: [{ scenario: 'a', step: 'log in', kind: 'timeout_total', count: 10, firstAt: 0, lastAt: 1000 }],
  books: [],
  series: [],
  stepSeries: [],
  workers: [],
  notes: ['the rows were used up'],
})

const drawing = { paint: painter(false), width: Number.POSITIVE_INFINITY }

it('says the verdict first, then what it rests on, then where the report lies', () => {
  const text = summaryText(report, 'runs/x/index.html', drawing)
  const order = [
    'shop: ✗ failed',
    'rows were used up',
    '✗ duration',
    '✓ failed',
    'Checks: 100 % held',
    'latency from due',
    'requests',
    'sessions',
    'orders',
    'timeout_total',
    'The generator kept up.',
    'report: runs/x/index.html',
  ]
  const places = order.map(part => text.indexOf(part))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(text).toMatch(/✗ duration +p\(95\)<40 +over 5 s +50\.0 ms +first failed after 7 s/)
  expect(text).toContain('20 requests were sent and never answered')
})

describe('a run of which every request failed', () => {
  const warning = 'every request failed, and no threshold says that it must not'
  const whole = { ...measured, ok: 0, ko: 100, failed: 1 }
  const allFailed: Report = { ...report, verdict: 'passed', thresholds: [], summary: { ...report.summary, whole } }

  it.each([
    ['run', summaryText],
    ['quick', quickText],
  ])('is warned of after %s where no threshold judges it', (_, text) => {
    expect(text(allFailed, undefined, drawing)).toContain(warning)
    expect(text({ ...allFailed, thresholds: report.thresholds }, undefined, drawing)).not.toContain(warning)
    expect(text({ ...report, thresholds: [] }, undefined, drawing)).not.toContain(warning)
    const nothing = { ...whole, count: 0, ko: 0 }
    const idle = { ...allFailed, summary: { ...report.summary, whole: nothing } }
    expect(text(idle, undefined, drawing)).not.toContain(warning)
  })
})

it('lets nothing that a script or a target says act on the terminal', () => {
  for (const text of [summaryText(report, undefined, drawing), quickText(report, undefined, drawing)]) {
    expect(text).not.toContain('\x1b')
    expect(text).not.toMatch(/^name/m)
  }
})

it('leaves columns out that a narrow terminal has no room for', () => {
  const table = (width: number) =>
    summaryText(report, undefined, { ...drawing, width })
      .split('\n')
      .find(line => line.includes('latency from due')) ?? ''
  expect(widthOf(table(80))).toBeLessThanOrEqual(80)
  expect(table(80)).toContain('p99')
  expect(table(80)).not.toContain('from send')
  expect(table(200)).toContain('from send')
})

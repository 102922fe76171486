import { createHash } from 'node:crypto'
import { Report } from '@onrush/protocol/report'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildReport } from './build-report.ts'
import { toCsv } from './csv.ts'
import { toJunit } from './junit.ts'
import { toComparePage, toPage } from './page/page.ts'
import { printable } from './printable.ts'
import { reportFiles } from './report-files.ts'
import { type SampleOptions, sampleRun } from './sample-run.testing.ts'

const reportOf = (options: SampleOptions = {}) => buildReport(sampleRun({ seconds: 5, perSecond: 4, ...options }))

const ordinary = reportOf()

/** A report in which one text stands wherever a script or a target can put one. */
function saying(text: string): Report {
  const report = ordinary
  const [step, ...rest] = report.summary.steps
  const [failure] = report.failures
  if (step === undefined || failure === undefined) throw new Error('the sample has steps and failures')
  const hostile = { ...failure, scenario: text, step: text, kind: text }
  const message = {
    ...hostile,
    at: 1,
    message: text,
    request: { method: text, url: text, headers: { [text]: text }, body: text },
  }
  return {
    ...report,
    error: text,
    stopped: { at: 100, reason: text },
    notes: [text],
    thresholds: [{ metric: text, check: text, abort: false, passed: false, detail: text, value: 1 }],
    failures: [hostile],
    run: {
      ...report.run,
      name: text,
      description: text,
      command: text,
      simulation: { hash: 'abc', file: text, source: text },
      environment: { name: text, values: { [text]: text } },
      warnings: [text],
      ext: { [text]: text },
    },
    workers: report.workers.map(worker => ({ ...worker, id: text, error: text, status: 'lost' as const })),
    summary: {
      ...report.summary,
      steps: [
        {
          ...step,
          scenario: text,
          step: text,
          group: text,
          errors: [{ kind: text, count: 1 }],
          checks: [{ label: text, passed: 1, failed: 1 }],
        },
        ...rest,
      ],
      samples: [{ ...message, response: { status: 500, headers: { [text]: text }, body: text } }],
      metrics: [{ name: text, kind: 'gauge', tags: [[text, text]], value: 1 }],
    },
  }
}

/** Any UTF-16 at all: controls, halves of pairs, marks that turn the direction. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0, max: 0xffff }).map(unit => String.fromCharCode(unit)),
    fc.constantFrom('<', '>', '&', '"', "'", ']]>', '</script>', '<!--', '\0', '=', ',', '\n', '\r'),
  ),
  minLength: 1,
  maxLength: 20,
})

it('makes a report that its schema accepts, before and after a journey as text', () => {
  const report = reportOf({ workers: 2 })
  expect(Report.parse(report)).toEqual(report)
  const files = reportFiles(report)
  expect(Report.parse(JSON.parse(files['report.json']))).toEqual(JSON.parse(JSON.stringify(report)))
})

describe('index.html', () => {
  /** What the page's script will read. */
  const dataOf = (page: string): unknown =>
    JSON.parse(/<script type="application\/json" id="data">([^<]*)<\/script>/.exec(page)?.[1] ?? '')
  const asShown = ({ frame: _, ...report }: Report) => JSON.parse(JSON.stringify(report))

  it('holds the report, and in short for those without scripts', () => {
    const report = reportOf({ workers: 2 })
    const page = toPage(report)
    expect(dataOf(page)).toEqual([asShown(report)])
    for (const text of [report.verdict, 'log in', 'item', 'buy', 'p(95)&lt;500', 'The generator kept up']) {
      expect(page).toContain(text)
    }
  })

  it('lets no text become markup, whatever a script or a target says', () => {
    const outside = (text: string) =>
      toPage(saying(text))
        .replace(/(<script type="application\/json" id="data">)[^<]*/, '$1')
        .replaceAll(/[^<>"]/g, '')
    const benign = outside('x')
    fc.assert(
      fc.property(anyText, text => {
        expect(outside(text)).toBe(benign)
        expect(dataOf(toPage(saying(text)))).toEqual([asShown(saying(text))])
      }),
      { numRuns: 60 },
    )
  })

  it('takes no text for a place to fill in', () => {
    const page = toPage(saying('{{data}}$&$1{{summary}}'))
    expect(dataOf(page)).toEqual([asShown(saying('{{data}}$&$1{{summary}}'))])
  })

  it('fetches nothing, and runs only the script whose hash it names', () => {
    const page = toPage(saying('<script src="http://evil.example/x.js"></script>'))
    const [, hash] = /content="default-src 'none'; script-src '(sha256-[^']+)'/.exec(page) ?? []
    const [, script = ''] = /<script>(.*)<\/script><\/body>/s.exec(page) ?? []
    expect(`sha256-${createHash('sha256').update(script).digest('base64')}`).toBe(hash)
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? []
    expect(page).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    expect(page.match(/<script/g)).toHaveLength(2)
    expect(page.replace(script, '')).not.toMatch(/(?:src|href)="/)
  })

  it('compares runs in the same page', () => {
    const page = toComparePage([ordinary, reportOf({ workers: 2 })])
    expect(dataOf(page)).toHaveLength(2)
  })

  it('stays below a megabyte for ten steps and an hour', { timeout: 120_000 }, () => {
    const steps = Array.from({ length: 10 }, (_, i) => `step ${i}`)
    const report = reportOf({ seconds: 3600, perSecond: 2, steps })
    expect(report.series.length).toBeLessThanOrEqual(300)
    expect(report.stepSeries.every(({ at }) => at.length <= 240)).toBe(true)
    expect(report.stepSeries[0]?.requests.reduce((sum, each) => sum + each, 0)).toBe(7200)
    expect(toPage(report).length).toBeLessThan(1_000_000)
  })
})

describe('junit.xml', () => {
  const entity = '&(?:amp|lt|gt|quot|apos|#9|#10|#13);'
  const attributes = `(?: [a-z]+="(?:[^<&"]|${entity})*")*`
  const wellFormed = new RegExp(
    `^<\\?xml version="1\\.0" encoding="UTF-8"\\?>(?:\\s*<[a-z]+${attributes}/?>|\\s*</[a-z]+>)+\\s*$`,
  )
  const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

  it('is valid XML for any text', () => {
    fc.assert(
      fc.property(anyText, text => {
        const xml = toJunit(saying(text))
        expect(xml).toMatch(wellFormed)
        expect(xml).not.toMatch(impossible)
        const open: string[] = []
        for (const [, closing, name = '', empty] of xml.matchAll(/<(\/?)([a-z]+)(?:[^"<>]|"[^"]*")*?(\/?)>/g)) {
          if (closing === '/') expect(open.pop()).toBe(name)
          else if (empty !== '/') open.push(name)
        }
        expect(open).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('has a case for each threshold and check, and fails those that did not hold', () => {
    const report = reportOf()
    const failing = { ...report, thresholds: report.thresholds.map(each => ({ ...each, passed: false })) }
    const xml = toJunit(failing)
    expect(xml).toContain('<testsuite name="thresholds" tests="3" failures="3" errors="0"')
    expect(xml.match(/classname="checkout\.checks\.buyer\./g)).toHaveLength(3)
    expect(xml).toContain('<testcase name="generator kept up" classname="checkout.run" time="0"/>')
  })

  it('counts what is not the target’s fault as errors', () => {
    const report = reportOf()
    const xml = toJunit({ ...report, generator: { ...report.generator, valid: false, reasons: ['sent late'] } })
    expect(xml).toMatch(/<testcase name="generator kept up"[^>]*>\s*<error message="sent late"\/>/)
  })
})

describe('stats.csv', () => {
  it('gives back every text, and none as a formula', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.constantFrom('=1+1', '+1', '-1', '@x', '\t=1', ' =1', '"=1"')), text => {
        const rows: string[][] = parse(toCsv(saying(text)), { relaxColumnCount: false })
        const step = rows[1]?.[2] ?? ''
        expect(step.replace(/^'/, '')).toBe(printable(text).replace(/^'/, ''))
        expect(step).not.toMatch(/^\s*[=+\-@]/)
      }),
      { numRuns: 100 },
    )
  })

  it('has a row for each step and one for all', () => {
    const report = reportOf()
    const rows: Record<string, string>[] = parse(toCsv(report), { columns: true })
    expect(rows.map(row => row.step)).toEqual(['buy', 'item', 'log in', 'Aggregated'])
    expect(rows.at(-1)?.requests).toBe(String(report.totals.requests))
    expect(Number(rows.at(-1)?.duration_p95_ms)).toBe(report.summary.whole.duration?.p95)
  })
})

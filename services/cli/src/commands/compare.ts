import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { OnrushError } from '@onrush/protocol/error'
import { plainSpaces } from '@onrush/protocol/figures'
import type { Report } from '@onrush/protocol/report'
import { type FailOn, failOnFromText } from '@onrush/report/fail-on'
import { flag, many, one, type Read } from '../arguments/option.ts'
import { text } from '../arguments/readings.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { painter } from '../terminal/paint.ts'

const mostReports = 5

const failOn: Read<FailOn> = given => {
  const read = failOnFromText(given)
  return typeof read === 'string' ? { problem: read } : { value: read }
}

export const compare = defineCommand({
  name: 'compare',
  group: 'Load',
  summary: 'Compare up to five runs with the first of them.',
  options: {
    'fail-on': many({
      placeholder: 'difference',
      summary: 'like "p(95)>+5%" or "failed:rate>+0.01"; exit code 99 when a run differs so; may be repeated',
      read: failOn,
    }),
    html: one({ placeholder: 'file', summary: 'write the comparison as a page, all in one file', read: text }),
    json: flag('print the comparison as JSON'),
  },
  operands: [
    { name: 'baseline', summary: 'a report folder, its report.json or its log.ndjson' },
    { name: 'report', summary: 'those to hold against it', many: true },
  ],
  examples: [
    'onrush compare runs/before runs/after',
    `onrush compare before after --fail-on 'p(95)>+5%' --html compared.html`,
  ],
  async run({ 'fail-on': conditions, html, json }, words, io) {
    if (words.length > mostReports) {
      throw new OnrushError('invalid', `expected at most ${mostReports} reports, got ${words.length}`)
    }
    const [{ compareReports }, { faultsOfFailOn, judge }, { openReport }, { comparisonText }] = await Promise.all([
      import('@onrush/protocol/compare-reports'),
      import('@onrush/report/fail-on'),
      import('../reports/open-report.ts'),
      import('../reports/comparison-text.ts'),
    ])
    const reports = await Promise.all(words.map(word => openReport(word, io.cwd)))
    const faults = conditions.flatMap(each =>
      faultsOfFailOn(each, reports).map(message => ({ path: `--fail-on ${each.text}`, message })),
    )
    if (faults.length > 0) throw new OnrushError('invalid', 'no run knows what --fail-on speaks of', { errors: faults })
    const [baseline, ...others] = reports
    const comparison = compareReports(reports)
    const judged = others.flatMap(other =>
      conditions.flatMap(each =>
        baseline === undefined ? [] : [{ run: other.run.runId, ...judge(each, baseline, other) }],
      ),
    )
    if (html !== undefined) await writePage(html, reports, io.cwd)
    const paint = painter(io.out.colours)
    if (json) io.out.write(`${JSON.stringify({ ...comparison, failOn: judged }, writable)}\n`)
    else {
      io.out.write(comparisonText(comparison, { paint }))
      if (judged.length > 0) io.out.write('\n')
      for (const { text: condition, failed, detail, run } of judged) {
        const where = others.length > 1 ? ` in ${run}` : ''
        const mark = failed ? paint('red', '✗ failed') : paint('green', '✓ passed')
        io.out.write(`${plainSpaces(`${mark}  ${condition}${where}: ${detail}`)}\n`)
      }
      if (html !== undefined) io.out.write(`\npage: ${html}\n`)
    }
    return judged.some(({ failed }) => failed) ? exitCodes.thresholdsFailed : exitCodes.passed
  },
})

/** JSON has no infinity: from nothing to something is no number then. */
const writable = (_key: string, value: unknown) => (value === Number.POSITIVE_INFINITY ? null : value)

async function writePage(named: string, reports: readonly Report[], cwd: string): Promise<void> {
  const file = resolve(cwd, named)
  const { toComparePage } = await import('@onrush/report/page')
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, toComparePage(reports))
  } catch (cause) {
    throw new OnrushError('invalid', `the page cannot be written to ${named}: ${String(cause)}`, { cause })
  }
}

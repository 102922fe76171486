import { OnrushError } from '@onrush/protocol/error'
import { plainSpaces } from '@onrush/protocol/figures'
import { type FailOn, failOnFromText } from '@onrush/report/fail-on'
import { flag, many, type Read } from '../arguments/option.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { painter } from '../terminal/paint.ts'

const mostReports = 5

const condition: Read<FailOn> = text => {
  const read = failOnFromText(text)
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
      read: condition,
    }),
    json: flag('print the comparison as JSON'),
  },
  operands: [
    { name: 'baseline', summary: 'a report folder, its report.json or its log.ndjson' },
    { name: 'report', summary: 'those to hold against it', many: true },
  ],
  examples: ['onrush compare runs/before runs/after', `onrush compare before after --fail-on 'p(95)>+5%'`],
  async run({ 'fail-on': conditions, json }, words, io) {
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
    const paint = painter(io.out.colours)
    if (json) io.out.write(`${JSON.stringify({ ...comparison, failOn: judged }, writable)}\n`)
    else {
      io.out.write(comparisonText(comparison, { paint }))
      if (judged.length > 0) io.out.write('\n')
      for (const { text, failed, detail, run } of judged) {
        const where = others.length > 1 ? ` in ${run}` : ''
        const mark = failed ? paint('red', '✗ failed') : paint('green', '✓ passed')
        io.out.write(`${plainSpaces(`${mark}  ${text}${where}: ${detail}`)}\n`)
      }
    }
    return judged.some(({ failed }) => failed) ? exitCodes.thresholdsFailed : exitCodes.passed
  },
})

/** JSON has no infinity: from nothing to something is no number then. */
const writable = (_key: string, value: unknown) => (value === Number.POSITIVE_INFINITY ? null : value)

import { count, duration, latency, rate, share } from '@onrush/protocol/figures'
import { measuredText } from '@onrush/protocol/measured'
import type { Report } from '@onrush/protocol/report'
import type { Latency, WholeSummary } from '@onrush/protocol/summary'
import { type Html, html } from '../html.ts'

const marks = { passed: '✓', failed: '✗', invalid: '!' } as const
const statistics = ['p50', 'p95', 'p99', 'max'] as const satisfies readonly (keyof Latency)[]
const mostRows = 200

function row(name: string, measured: WholeSummary): Html {
  return html`<tr><th scope="row">${name}</th><td>${count(measured.count)}</td><td>${rate(measured.rate)}</td><td>${share(measured.failed)}</td>${statistics.map(
    statistic => html`<td>${measured.duration === undefined ? '–' : latency(measured.duration[statistic])}</td>`,
  )}</tr>`
}

/** The page without its script, as some mail programs and CI servers show it: the verdict and the numbers. */
export function inShort({ run, verdict, elapsedMs, generator, thresholds, summary }: Report): Html {
  const rest = summary.steps.length - mostRows
  return html`<main><h1>${run.name}</h1><p class="${verdict}">${marks[verdict]} ${verdict} after ${duration(elapsedMs)}</p>
<p>${generator.sentence}</p><p class="muted">The charts need this page's own script, which is not allowed here; report.json holds all numbers.</p>
<ul>${thresholds.map(result => html`<li>${marks[result.passed ? 'passed' : 'failed']} ${result.metric} <code>${result.check}</code>: ${measuredText(result)}</li>`)}</ul>
<table><thead><tr><th scope="col">step</th><th scope="col">count</th><th scope="col">rate</th><th scope="col">failed</th>${statistics.map(statistic => html`<th scope="col">${statistic}</th>`)}</tr></thead>
<tbody>${summary.steps.slice(0, mostRows).map(step => row(`${step.scenario} · ${step.step}`, step))}${row('all steps', summary.whole)}</tbody></table>
${rest > 0 && html`<p>and ${count(rest)} steps more</p>`}</main>`
}

export function comparedInShort(reports: readonly Report[]): Html {
  return html`<main><h1>Runs compared</h1><table><thead><tr><th scope="col">run</th><th scope="col">count</th><th scope="col">rate</th><th scope="col">failed</th>${statistics.map(
    statistic => html`<th scope="col">${statistic}</th>`,
  )}</tr></thead><tbody>${reports.map(({ run, summary }) => row(run.runId, summary.whole))}</tbody></table></main>`
}

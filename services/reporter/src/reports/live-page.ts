import type { Job } from '@onrush/protocol/job'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, character => entities[character] ?? '')

const grouped = (value: number): string => String(value).replaceAll(/\B(?=(\d{3})+$)/g, '\u202f')

const style = `
:root{color-scheme:light dark;--ground:#fafaf9;--surface:#fff;--line:#e7e5e4;--ink:#1c1917;--muted:#57534e;--accent:#0e7490}
@media(prefers-color-scheme:dark){:root{--ground:#0f1215;--surface:#161a1f;--line:#2a3038;--ink:#e8eaed;--muted:#9aa4af;--accent:#22d3ee}}
body{margin:0;background:var(--ground);color:var(--ink);font:14px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:760px;margin:0 auto;padding:32px 16px}
h1{font-size:20px;margin:0 0 4px;overflow-wrap:anywhere}
p{margin:4px 0;color:var(--muted)}
a{color:var(--accent)}
table{width:100%;border-collapse:collapse;background:var(--surface);border:1px solid var(--line);margin:16px 0}
th,td{text-align:left;padding:8px 12px;border-top:1px solid var(--line);font-weight:400}
th{color:var(--muted);width:40%}`

function rows(pairs: readonly (readonly [string, string])[]): string {
  return pairs
    .map(([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td>${escaped(value)}</td></tr>`)
    .join('')
}

/** A run that has no report yet, without a script: the page loads itself again until the report takes its place. */
export function livePage(job: Job): string {
  const { name, runId, status, waiting, error, plan, totals, workers } = job
  const over = status === 'failed' || status === 'stopped' || status === 'finished'
  const duration = plan.durationMs === null ? 'until it is stopped' : `${(plan.durationMs / 1000).toFixed(0)} s`
  const facts: (readonly [string, string])[] = [
    ['State', status],
    ...(waiting === undefined ? [] : [['Waits', waiting] as const]),
    ...(error === undefined ? [] : [['Error', error] as const]),
    ['Planned', `${duration}${plan.arrivals === null ? '' : `, ${grouped(plan.arrivals)} arrivals`}`],
    ...(totals === undefined
      ? []
      : [
          ['Requests', grouped(totals.requests)] as const,
          ['Failed', grouped(totals.failed)] as const,
          ['Sessions started', grouped(totals.started)] as const,
          ['Sessions active', grouped(totals.active)] as const,
        ]),
    ...workers.map(worker => [`Worker ${worker.id}`, worker.error ?? worker.status] as const),
  ]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
${over ? '' : '<meta http-equiv="refresh" content="2">'}<title>${escaped(name)} · ${escaped(status)}</title><style>${style}</style></head>
<body><main><h1>${escaped(name)}</h1><p>${escaped(runId)}</p>
<table>${rows(facts)}</table>
<p>${over ? 'This run has no report.' : 'This page loads itself again every two seconds; the report takes its place when the run is over.'}
<a href="/api/job/${escaped(runId)}">The run as JSON</a></p></main></body></html>
`
}

import { Histogram } from '@onrush/metrics/histogram'
import { addEncoded } from '@onrush/metrics/histogram-wire'
import { count, latency } from '@onrush/protocol/figures'
import type { Frame } from '@onrush/protocol/frame'
import type { Paint } from '../terminal/paint.ts'
import { textTable } from '../terminal/text-table.ts'

const bins = 10
const widest = 40
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar to an eighth of a column; what is there at all shows. */
export function barOf(share: number): string {
  const parts = Math.max(share > 0 ? 1 : 0, Math.round(share * widest * 8))
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '')
}

export function latencyOfAll(frame: Frame, metric: 'duration' | 'service'): Histogram {
  const all = new Histogram()
  for (const { ok, ko } of frame.counts.steps) {
    for (const wire of [ok?.[metric], ko?.[metric]]) if (wire !== undefined) addEncoded(all, wire)
  }
  return all
}

/** How many took how long: equal steps up to the 99th percentile, and all slower ones in a last line. */
export function histogramBars(histogram: Histogram, paint: Paint): string[] {
  if (histogram.count === 0) return []
  const { min, max } = histogram
  const top = Math.max(histogram.percentile(99), min + 1)
  const edges = Array.from({ length: bins }, (_, i) => min + ((top - min) * (i + 1)) / bins)
  const slower = edges.map(edge => histogram.countAbove(edge))
  const counts = slower.map((above, i) => (i === 0 ? histogram.count : (slower[i - 1] ?? 0)) - above)
  const rest = slower.at(-1) ?? 0
  const rows = [
    ...edges.map((edge, i) => ({ label: latency(edge / 1000), times: counts[i] ?? 0 })),
    ...(rest > 0 ? [{ label: latency(max / 1000), times: rest }] : []),
  ]
  const most = Math.max(...rows.map(({ times }) => times))
  const columns = [{ title: '' }, { title: '' }, { title: '', left: true }]
  return textTable(
    columns,
    rows.map(({ label, times }) => [`≤ ${label}`, count(times), paint('cyan', barOf(times / most))]),
  ).slice(1)
}

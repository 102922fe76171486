import { count, latency, rate, share } from '@onrush/protocol/figures'
import type { ComponentChildren } from 'preact'
import { some } from '../parts/some.ts'
import { isOver, type RunView } from './view.ts'

function Figure({ value, label, kind }: { value: ComponentChildren; label: string; kind?: string }) {
  return (
    <div class="figure">
      <b class={kind}>{value}</b>
      <span>{label}</span>
    </div>
  )
}

/** While a run goes on its rate is that of now; afterwards, that of the whole. */
function rateOf({ status, series, summary }: RunView): number {
  const last = series.findLast(({ span }) => span >= 900)
  return isOver(status) || last === undefined ? (summary?.whole.rate ?? 0) : last.rate
}

/** Five figures that say how it goes. */
export function Headline({ view }: { view: RunView }) {
  const { summary, totals, workers, reserved, generator, series, status } = view
  const whole = summary?.whole
  const lag = summary?.generator.sendLag
  const over = isOver(status)
  const threads = workers.reduce((total, worker) => total + worker.threads, 0)
  const where = Math.max(workers.length, reserved.length)
  const active = over ? Math.max(0, ...series.map(point => point.active)) : (totals?.active ?? 0)
  return (
    <section class="card headline" aria-label="In short">
      <Figure value={rate(rateOf(view))} label={`requests, ${count(whole?.count ?? 0)} in all`} />
      <Figure
        value={whole?.duration === undefined ? '–' : latency(whole.duration.p95)}
        label={whole?.service === undefined ? 'p95 from due' : `p95 from due · ${latency(whole.service.p95)} from send`}
      />
      <Figure
        value={share(whole?.failed ?? 0)}
        kind={(whole?.ko ?? 0) > 0 ? 'failed' : undefined}
        label={`failed, ${some(whole?.ko ?? 0, 'request', 'requests')}`}
      />
      <Figure
        value={count(active)}
        label={
          over
            ? `sessions at most, ${count(totals?.started ?? 0)} started`
            : `active, ${count(totals?.started ?? 0)} started`
        }
      />
      <Figure
        value={lag === undefined ? '–' : latency(lag.p99)}
        kind={generator?.valid === false ? 'invalid' : undefined}
        label={`send lag p99 · ${where > 1 ? `${where} workers` : some(threads, 'thread', 'threads')}`}
      />
    </section>
  )
}

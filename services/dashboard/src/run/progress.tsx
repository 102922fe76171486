import { duration } from '@onrush/protocol/figures'
import { useMemo } from 'preact/hooks'
import { isOver, type RunView } from './view.ts'

const width = 1000
const height = 28

function shapeOf({ plan }: RunView): string {
  const curve = plan.rate.length > 0 ? plan.rate : plan.users
  const end = plan.durationMs ?? 0
  const most = Math.max(...curve.map(({ value }) => value), 0)
  if (end <= 0 || most <= 0) return `M0 ${height}V0H${width}V${height}Z`
  const top = (value: number) => (height - (value / most) * (height - 2)).toFixed(1)
  const steps = curve.map(({ at, value }, i) => {
    const to = curve[i + 1]?.at ?? end
    return `L${((at / end) * width).toFixed(1)} ${top(value)}L${((to / end) * width).toFixed(1)} ${top(value)}`
  })
  return `M0 ${height}${steps.join('')}L${width} ${height}Z`
}

/** The plan's own shape, filled as far as it has come. */
export function Progress({ view }: { view: RunView }) {
  const { plan, elapsedMs, status } = view
  const shape = useMemo(() => shapeOf(view), [plan])
  if (isOver(status)) return null
  const part = plan.durationMs === null || plan.durationMs === 0 ? undefined : Math.min(1, elapsedMs / plan.durationMs)
  const words = part === undefined ? `${duration(elapsedMs)}, until it is stopped` : `${Math.round(part * 100)} %`
  return (
    <div
      class="progress"
      role="progressbar"
      aria-label="Progress through the plan"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={part === undefined ? undefined : Math.round(part * 100)}
      aria-valuetext={words}
    >
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="planned" d={shape} />
        <clipPath id="so-far">
          <rect width={(part ?? 0) * width} height={height} />
        </clipPath>
        <path class="done" d={shape} clip-path="url(#so-far)" />
      </svg>
    </div>
  )
}

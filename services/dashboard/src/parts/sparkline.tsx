import { useMemo } from 'preact/hooks'

export interface SparklineProps {
  /** In their order; a gap where nothing was measured. */
  values: readonly (number | null)[]
  label: string
  kind?: 'p95' | 'failed' | 'started'
  /** The top of the drawing; the largest value where none is given. */
  most?: number
}

const width = 96
const height = 20

function pathOf(values: readonly (number | null)[], most: number): string {
  const step = width / Math.max(1, values.length - 1)
  let path = ''
  let pen = false
  values.forEach((value, i) => {
    if (value === null) {
      pen = false
      return
    }
    const x = (i * step).toFixed(1)
    const y = (height - 1.5 - (value / most) * (height - 3)).toFixed(1)
    path += pen ? `L${x} ${y}` : `M${x} ${y}h.1`
    pen = true
  })
  return path
}

/** A course without axes: its shape, from zero. */
export function Sparkline({ values, label, kind = 'p95', most }: SparklineProps) {
  const path = useMemo(
    () => pathOf(values, Math.max(most ?? 0, ...values.map(value => value ?? 0)) || 1),
    [values, most],
  )
  return (
    <svg
      class={`sparkline ${kind}`}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      <path d={path} vector-effect="non-scaling-stroke" />
    </svg>
  )
}

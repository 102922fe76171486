import { duration } from '@onrush/protocol/figures'
import { useStore } from '../store.ts'
import type { ChartGroup } from './group.ts'
import { type Line, lastMeasured, valueAt } from './line.ts'

export interface LegendProps {
  lines: readonly Line[]
  xs: readonly number[]
  group: ChartGroup
  write: (value: number) => string
  writeRight: (value: number) => string
  live: boolean
}

function Sample({ line }: { line: Line }) {
  const colour = `var(--${line.ink})`
  const filled = line.fillTo === 'ground' || line.said !== undefined
  return (
    <svg class="sample" viewBox="0 0 20 10" aria-hidden="true">
      {filled && <path d="M0 1H20V10H0Z" fill={colour} fill-opacity={Math.max(0.2, line.opacity ?? 0.16)} />}
      <path
        d={filled ? 'M0 1.5H20' : 'M0 5H20'}
        stroke={colour}
        stroke-width="2"
        stroke-dasharray={line.dashed ? '4 3' : undefined}
      />
    </svg>
  )
}

/** Names the lines, and tells their values at the cursor, wherever in the group it stands. */
export function Legend({ lines, xs, group, write, writeRight, live }: LegendProps) {
  const at = useStore(group.cursor)
  const shownAt = at ?? (live ? lastMeasured(lines, xs) : undefined)
  const value = (line: Line) => (shownAt === undefined ? undefined : valueAt(line, xs, shownAt))
  return (
    <div class="legend">
      {lines.map(line => {
        const said = value(line)
        return (
          <span key={line.key} class="entry" title={line.hint}>
            <Sample line={line} />
            {line.label}
            <b>{said === undefined || said === null ? '' : (line.axis === 'right' ? writeRight : write)(said)}</b>
          </span>
        )
      })}
      <span class="at">{at === undefined ? '' : `at ${duration(Math.max(0, at) * 1000)}`}</span>
    </div>
  )
}

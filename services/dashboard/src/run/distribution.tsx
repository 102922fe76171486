import { latency } from '@onrush/protocol/figures'
import type { Report } from '@onrush/protocol/report'
import { useState } from 'preact/hooks'
import { niceCeil } from '../chart/nice.ts'
import { Card } from '../parts/card.tsx'
import { useWidth } from '../parts/use-width.ts'
import { percentileAxis } from './percentile-axis.ts'
import type { RunView } from './view.ts'

type Spot = Report['distribution'][number]

const height = 240
const room = { left: 68, right: 24, top: 10, bottom: 30 }

const axisText = (percentile: number) => (percentile === 0 ? '0 %' : `${percentile} %`)
const trimmed = (text: string) => text.replace(/(\.\d*?)0+(?=\D|$)/, '$1').replace(/\.(?=\D|$)/, '')

/** How latency grows towards the slowest: each step to the right leaves a tenth of the requests. */
export function Distribution({ view }: { view: RunView }) {
  const [place, width] = useWidth<HTMLDivElement>(800)
  const [at, setAt] = useState<Spot>()
  const spots = view.distribution
  if (spots.length === 0) return null
  const axis = percentileAxis(spots.map(({ percentile }) => percentile))
  const top = niceCeil(Math.max(...spots.map(({ duration, service }) => Math.max(duration ?? 0, service ?? 0))))
  const across = Math.max(100, width - room.left - room.right)
  const down = height - room.top - room.bottom
  const x = (percentile: number) => room.left + axis.xOf(percentile) * across
  const y = (ms: number) => room.top + down - (ms / top) * down
  const path = (value: (spot: Spot) => number | null) =>
    spots
      .flatMap(spot => {
        const ms = value(spot)
        return ms === null ? [] : [`${x(spot.percentile).toFixed(1)} ${y(ms).toFixed(1)}`]
      })
      .map((spot, i) => `${i === 0 ? 'M' : 'L'}${spot}`)
      .join('')
  const follow = (event: PointerEvent) => {
    const inside = event.clientX - (place.current?.getBoundingClientRect().left ?? 0)
    setAt(spots.toSorted((a, b) => Math.abs(x(a.percentile) - inside) - Math.abs(x(b.percentile) - inside))[0])
  }
  const levels = [0, 0.25, 0.5, 0.75, 1].map(part => part * top)
  return (
    <Card
      id="distribution"
      title="Latency distribution"
      note="all steps together; each nine to the right is ten times rarer"
    >
      <div class="legend">
        <span class="entry">
          <svg class="sample" viewBox="0 0 20 10" aria-hidden="true">
            <path d="M0 5H20" stroke="var(--p95)" stroke-width="2" stroke-dasharray="4 3" />
          </svg>
          from due <b>{at?.duration == null ? '' : latency(at.duration)}</b>
        </span>
        <span class="entry">
          <svg class="sample" viewBox="0 0 20 10" aria-hidden="true">
            <path d="M0 5H20" stroke="var(--p95)" stroke-width="2" />
          </svg>
          from send <b>{at?.service == null ? '' : latency(at.service)}</b>
        </span>
        <span class="at">{at === undefined ? '' : at.percentile === 100 ? 'the slowest' : `p${at.percentile}`}</span>
      </div>
      <div ref={place} onPointerMove={follow} onPointerLeave={() => setAt(undefined)}>
        <svg class="distribution" width={width} height={height} role="img" aria-label={distributionWords(spots)}>
          {levels.map(level => (
            <g key={level}>
              <path class="grid" d={`M${room.left} ${y(level)}H${room.left + across}`} />
              <text x={room.left - 8} y={y(level) + 4} text-anchor="end">
                {trimmed(latency(level))}
              </text>
            </g>
          ))}
          {axis.marks.filter(roomy(x)).map(mark => (
            <g key={mark}>
              <path class="grid" d={`M${x(mark)} ${room.top}V${room.top + down}`} />
              <text x={x(mark)} y={height - 10} text-anchor="middle">
                {axisText(mark)}
              </text>
            </g>
          ))}
          {at !== undefined && <path class="hair" d={`M${x(at.percentile)} ${room.top}V${room.top + down}`} />}
          <path class="course" d={path(({ service }) => service)} />
          <path class="course due" d={path(({ duration }) => duration)} />
        </svg>
      </div>
    </Card>
  )
}

/** Marks whose figures would touch are left out. */
const roomy =
  (x: (percentile: number) => number) =>
  (mark: number, i: number, marks: readonly number[]): boolean => {
    const next = marks[i + 1]
    return next === undefined || i === 0 || x(next) - x(mark) > 44
  }

function distributionWords(spots: readonly Spot[]): string {
  const told = spots.filter(
    ({ percentile, duration }) => [50, 90, 99, 99.9, 100].includes(percentile) && duration !== null,
  )
  return `Latency by percentile, from due: ${told.map(({ percentile, duration }) => `${percentile} % within ${latency(duration ?? 0)}`).join(', ')}`
}

import { count, rate } from '@onrush/protocol/figures'
import { axisTime, niceCeil, timeSteps } from '../chart/nice.ts'
import { useWidth } from '../parts/use-width.ts'
import type { Preview } from './preview.ts'

const height = 180
const room = { left: 60, right: 16, top: 12, bottom: 26 }
const short = (text: string) => text.replace(/\.0+(?=\D|$)/, '')

/** The curve of a profile as it is being written. */
export function ProfileChart({ preview }: { preview: Preview }) {
  const [place, width] = useWidth<HTMLDivElement>(700)
  const { points, durationMs, unit, sentence } = preview
  const across = Math.max(100, width - room.left - room.right)
  const down = height - room.top - room.bottom
  const end = durationMs === undefined || durationMs <= 0 ? 1 : durationMs
  const top = niceCeil(Math.max(...points.map(({ value }) => value), 0))
  const x = (ms: number) => (room.left + (ms / end) * across).toFixed(1)
  const y = (value: number) => (room.top + down - (value / top) * down).toFixed(1)
  const write = (value: number) => short(unit === 'rate' ? rate(value) : count(value))
  const step = timeSteps.find(each => (end / 1000 / each) * 80 <= across) ?? 86_400
  const times =
    durationMs === undefined ? [] : Array.from({ length: Math.floor(end / 1000 / step) + 1 }, (_, i) => i * step)
  const line = points.map(({ at, value }, i) => {
    const to = points[i + 1]?.at ?? end
    return `${i === 0 ? 'M' : 'L'}${x(at)} ${y(value)}L${x(to)} ${y(value)}`
  })
  const path = line.join('')
  const first = points[0]
  return (
    <div ref={place} class="profile-chart">
      {durationMs === undefined ? (
        <p class="aside">Runs until all are done, however long that takes.</p>
      ) : (
        <svg width={width} height={height} role="img" aria-label={`The load over time: ${sentence}`}>
          {[0, 0.5, 1].map(part => (
            <g key={part}>
              <path class="grid" d={`M${room.left} ${y(top * part)}H${room.left + across}`} />
              <text x={room.left - 8} y={Number(y(top * part)) + 4} text-anchor="end">
                {write(top * part)}
              </text>
            </g>
          ))}
          {times.map(at => (
            <text key={at} x={x(at * 1000)} y={height - 6} text-anchor={at === 0 ? 'start' : 'middle'}>
              {axisTime(at)}
            </text>
          ))}
          {first !== undefined && (
            <>
              <path class="area" d={`${path}V${y(0)}H${x(first.at)}Z`} />
              <path class="course" d={path} />
            </>
          )}
        </svg>
      )}
      <p class="profile-sentence" aria-live="polite">
        {sentence}
      </p>
    </div>
  )
}

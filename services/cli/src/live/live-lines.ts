import { count, duration, latency, plainSpaces, rate, share } from '@onrush/protocol/figures'
import type { Paint } from '../terminal/paint.ts'
import { safeLine } from '../terminal/safe-line.ts'
import type { Size } from '../terminal/size.ts'
import { textTable } from '../terminal/text-table.ts'
import { cut, padEnd, shorten, widthOf } from '../terminal/width.ts'
import type { LiveRow, LiveState } from './live-state.ts'

const words = {
  setup: 'setting up',
  preparing: 'preparing',
  running: 'running',
  draining: 'draining',
  teardown: 'tearing down',
} as const

const ms = (value: number | undefined) => (value === undefined ? '–' : latency(value))

function head({ title, phase, elapsedMs, durationMs, progress }: LiveState, width: number, paint: Paint): string {
  const mark = phase === 'draining' ? paint('yellow', '●') : paint('cyan', '●')
  const left = `${paint('bold', title)}  ${mark} ${phase === undefined ? 'loading' : words[phase]}`
  const rest = durationMs === null ? undefined : durationMs - elapsedMs
  const time =
    phase !== 'running' && phase !== 'draining'
      ? ''
      : rest === undefined
        ? duration(elapsedMs)
        : `${duration(elapsedMs)} of ${duration(durationMs ?? 0)}${rest > 0 ? `, ${duration(rest)} left` : ''}`
  const right = `${time}${progress === undefined ? '' : `  ${Math.floor(progress * 100)} %`}`
  return `${padEnd(left, Math.max(widthOf(left) + 2, width - widthOf(right)))}${right}`
}

function bar(progress: number, width: number, paint: Paint): string {
  const full = Math.round(progress * width)
  return paint('cyan', '━'.repeat(full)) + paint('dim', '─'.repeat(Math.max(0, width - full)))
}

function figures({ figures: now, thresholds }: LiveState, paint: Paint): string[] {
  if (now === undefined) return []
  const failed = `failed ${share(now.failedShare)}`
  const broken = thresholds.filter(({ passed }) => !passed).length
  const held = thresholds.length - broken
  return [
    [
      `${paint('bold', rate(now.perSecond))} requests`,
      `p95 ${paint('bold', ms(now.due))} from due, ${paint('bold', ms(now.send))} from send`,
      now.failed > 0 ? paint('red', failed) : failed,
      `${count(now.active)} active`,
    ].join('   '),
    [
      `${count(now.requests)} requests in all`,
      `lag p99 ${ms(now.lagP99)}`,
      ...(now.dropped > 0 ? [paint('yellow', `${count(now.dropped)} dropped`)] : []),
      ...(thresholds.length === 0
        ? []
        : [`thresholds ${paint('green', `✓ ${held}`)}${broken > 0 ? ` ${paint('red', `✗ ${broken}`)}` : ''}`]),
    ].join('   '),
  ]
}

const columns = [
  { title: 'step', left: true },
  { title: 'count', spare: 2 },
  { title: 'now', spare: 3 },
  { title: 'failed' },
  { title: 'p95 due' },
  { title: 'p95 send', spare: 1 },
] as const

function table(rows: readonly LiveRow[], width: number, paint: Paint): string[] {
  const name = Math.max(12, Math.min(40, width - 50))
  const [titles = '', ...lines] = textTable(
    columns,
    rows.map(({ step, count: times, perSecond, failed, due, send }) => [
      shorten(step, name),
      count(times),
      rate(perSecond),
      failed > 0 ? paint('red', share(failed)) : '0',
      ms(due),
      ms(send),
    ]),
    width,
  )
  return [paint('dim', titles), ...lines]
}

/** The live view as lines that fit the terminal. What does not fit in height is counted. */
export function liveLines(state: LiveState, { columns: width, rows: height }: Size, paint: Paint): string[] {
  const usable = Math.max(10, width - 1)
  const lines = [
    head(state, usable, paint),
    ...(state.progress === undefined ? [] : [bar(state.progress, usable, paint)]),
    ...figures(state, paint),
  ]
  // A line stays free at the bottom: one line too many, and the terminal scrolls the view away with every redraw.
  const room = height - lines.length - 3
  if (state.rows.length > 0 && room > 1) {
    const shown = state.rows.length <= room ? state.rows : state.rows.slice(0, room - 1)
    const more = state.rows.length - shown.length
    lines.push('', ...table(shown, usable, paint))
    if (more > 0) lines.push(paint('dim', `… and ${more} more steps`))
  }
  return lines.map(line => cut(plainSpaces(safeLine(line)), usable)).slice(0, Math.max(1, height - 1))
}

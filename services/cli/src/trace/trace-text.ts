import type { TraceEvent } from '@onrush/engine/trace'
import { duration, latency, plainSpaces } from '@onrush/protocol/figures'
import type { Paint } from '../terminal/paint.ts'
import { safeLine } from '../terminal/safe-line.ts'

const longestBody = 4000

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).flatMap(([name, value]) => value.split('\n').map(line => `${name}: ${line}`))

/** JSON is laid out, as far as it is short enough to be read. */
function bodyLines(body: string | undefined): string[] {
  if (body === undefined || body === '') return []
  const text = laidOut(body)
  const shown = text.length <= longestBody ? text : `${text.slice(0, longestBody)}…`
  return ['', ...shown.split('\n')]
}

function laidOut(body: string): string {
  if (!/^\s*[[{]/.test(body)) return body
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    // It only looks like JSON, or was cut: shown as it came.
    return body
  }
}

const valueText = (value: unknown) =>
  typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? 'nothing')

/** One event of a traced session as lines. */
export function traceLines(event: TraceEvent, paint: Paint): string[] {
  switch (event.type) {
    case 'scenario': {
      const variables = Object.entries(event.variables)
      return [
        '',
        paint('bold', `scenario ${event.name}`),
        ...variables.map(([name, value]) => `  ${name} = ${valueText(value)}`),
      ]
    }
    case 'step':
      return ['', `${paint('bold', event.name)} ${paint('dim', event.kind)}`]
    case 'request': {
      const target = [event.method, event.url].filter(each => each !== undefined).join(' ')
      const lines = [...(target === '' ? [] : [target]), ...headerLines(event.headers), ...bodyLines(event.body)]
      return lines.map(line => paint('cyan', `  > ${line}`.trimEnd()))
    }
    case 'redirect':
      return [paint('dim', `  ${event.status}, followed`)]
    case 'response': {
      const { status, ms, connectMs, firstByteMs } = event
      const connect = connectMs > 0 ? `, connected in ${latency(connectMs)}` : ''
      const head = `  < ${status}  ${paint('dim', `in ${latency(ms)}${connect}, first byte after ${latency(firstByteMs)}`)}`
      return [head, ...[...headerLines(event.headers), ...bodyLines(event.body)].map(line => `  < ${line}`.trimEnd())]
    }
    case 'assertion':
      if (event.ok) return [`  ${paint('green', '✓')} ${event.check}`]
      return [
        `  ${paint('red', `✗ ${event.check}`)}: expected ${event.expected ?? 'something else'}, got ${event.actual ?? 'nothing'}`,
      ]
    case 'export':
      return [`  → ${event.scope === '_j' ? '$._j' : '$._s'}.${event.name} = ${event.value}`]
    case 'failure':
      return event.message
        .split('\n')
        .map((line, i) => paint('red', i === 0 ? `  ✗ ${event.kind}: ${line}` : `    ${line}`))
    case 'pause':
      return ['', paint('dim', event.ms > 0 ? `pause ${duration(event.ms)}` : 'pause, left out')]
    case 'end':
      return ['', event.ok ? paint('green', '✓ the session went well') : paint('red', '✗ the session failed')]
    default:
      return event satisfies never
  }
}

export function traceText(event: TraceEvent, paint: Paint): string {
  return traceLines(event, paint)
    .flatMap(line => line.split('\n'))
    .map(line => `${plainSpaces(safeLine(line))}\n`)
    .join('')
}

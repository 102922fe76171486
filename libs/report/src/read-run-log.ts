import { parseFrame } from '@onrush/metrics/frame'
import { check } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import type { Frame } from '@onrush/protocol/frame'
import { RunEnd, RunHeader, runLogVersion } from '@onrush/protocol/run-log'

export interface RunLog {
  readonly header: RunHeader
  readonly frames: readonly Frame[]
  /** Missing where the run was cut off. */
  readonly end: RunEnd | undefined
}

function broken(file: string, line: number, message: string, cause?: unknown): OnrushError {
  return new OnrushError('invalid', `${file} is no run log that can be read`, {
    errors: [{ path: `${file}:${line}`, message }],
    ...(cause === undefined ? {} : { cause }),
  })
}

function headerFrom(json: unknown, file: string): RunHeader {
  const version = typeof json === 'object' && json !== null && 'v' in json ? json.v : undefined
  if (typeof version === 'number' && version > runLogVersion) {
    const message = `${file}: expected a run log of version ${runLogVersion}, got version ${version}; use a newer onrush`
    throw new OnrushError('version_mismatch', message)
  }
  const checked = check(RunHeader, json)
  if (checked.ok) return checked.value
  throw broken(file, 1, `expected a run's first line { "type": "start", … }: ${checked.faults[0]?.message ?? ''}`)
}

/**
 * Reads a run log. The writer may have been killed in the middle of a line, so a last line that is none is left out;
 * any other one that is none means that the file is damaged, and is an error with its line.
 */
export async function readRunLog(
  lines: Iterable<string> | AsyncIterable<string>,
  file = 'log.ndjson',
): Promise<RunLog> {
  let header: RunHeader | undefined
  let end: RunEnd | undefined
  let cut: OnrushError | undefined
  const frames: Frame[] = []
  let number = 0
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    if (cut !== undefined) throw cut
    let json: unknown
    try {
      json = JSON.parse(line)
    } catch (cause) {
      cut = broken(file, number, `expected a line of JSON, got ${JSON.stringify(line.slice(0, 80))}`, cause)
      continue
    }
    const type = typeof json === 'object' && json !== null && 'type' in json ? json.type : undefined
    if (header === undefined) header = headerFrom(json, file)
    else if (type === 'frame') frames.push(frameFrom(json, file, number))
    else if (type === 'end') end = endFrom(json, file, number)
    else throw broken(file, number, `expected a line of type "frame" or "end", got ${JSON.stringify(type) ?? 'none'}`)
  }
  if (header === undefined)
    throw cut ?? broken(file, 1, 'expected a first line { "type": "start", … }, got an empty file')
  return { header, frames, end }
}

function frameFrom(json: unknown, file: string, line: number): Frame {
  try {
    return parseFrame(typeof json === 'object' && json !== null && 'frame' in json ? json.frame : undefined)
  } catch (cause) {
    if (cause instanceof OnrushError && cause.code === 'version_mismatch') throw cause
    throw broken(file, line, cause instanceof Error ? cause.message : String(cause), cause)
  }
}

function endFrom(json: unknown, file: string, line: number): RunEnd {
  const checked = check(RunEnd, json)
  if (checked.ok) return checked.value
  throw broken(file, line, `${checked.faults[0]?.path ?? ''}: ${checked.faults[0]?.message ?? ''}`)
}

/** How a run ended that could not say so itself: as far as its frames reach. */
export function endOfCut({ header, frames }: Pick<RunLog, 'header' | 'frames'>): RunEnd {
  const elapsedMs = frames.reduce((last, { to }) => Math.max(last, to), 0)
  const error = 'the run log breaks off: the run was killed, or its disk was full'
  return {
    type: 'end',
    status: 'failed',
    error,
    endedAt: new Date(Date.parse(header.startedAt) + elapsedMs).toISOString(),
    elapsedMs,
    workers: [],
  }
}

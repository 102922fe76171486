import type { Frame } from '@onrush/protocol/frame'
import type { RunEnd, RunHeader, RunLogFrame } from '@onrush/protocol/run-log'

/** A line of a run log, its end of line included. */
export function logLine(entry: RunHeader | RunEnd | Frame): string {
  const line: RunHeader | RunEnd | RunLogFrame = 'type' in entry ? entry : { type: 'frame', frame: entry }
  return `${JSON.stringify(line)}\n`
}

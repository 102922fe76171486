import type { Frame } from '@onrush/protocol/frame'
import type { Report } from '@onrush/protocol/report'
import type { RunEnd, RunHeader } from '@onrush/protocol/run-log'
import { RunAccount } from './run-account.ts'

export interface ReportInput {
  readonly header: RunHeader
  /** Of all workers, in any order. */
  readonly frames: Iterable<Frame>
  readonly end: RunEnd
}

/** The report of a run whose frames are all at hand. While a run goes on, feed a `RunAccount`. */
export function buildReport({ header, frames, end }: ReportInput): Report {
  const account = new RunAccount(header)
  for (const frame of frames) account.add(frame)
  return account.toReport(end)
}

import type { Outcome } from '../protocol.ts'
import type { CountedStep } from '../session/step-counter.ts'
import type { Failing } from './judge.ts'
import { microsBetween } from './micros.ts'

/** What the metrics take for "nothing was sent" and "no answer". */
const nothing = -1

/** `due` to the end is what a user waited; sent to the end is what the service took. */
export function recordOutcome(counted: CountedStep, outcome: Outcome, due: number, failing: Failing | undefined): void {
  const { recorder } = counted
  const { answer, endedAt, sentAt, hops } = outcome
  let { bytesIn, bytesOut } = outcome
  for (let i = 0; i < hops.length; i++) {
    bytesIn -= hops[i]?.bytesIn ?? 0
    bytesOut -= hops[i]?.bytesOut ?? 0
  }
  const service = answer.reach === 'unsent' ? nothing : microsBetween(sentAt, endedAt)
  const status = answer.reach === 'answered' ? answer.status : nothing
  recorder.record(failing === undefined, status, microsBetween(due, endedAt), service, bytesIn, bytesOut)
  if (failing !== undefined) recorder.error(failing.kind)
  // 0 says that an existing connection was used; a new one takes more than half a microsecond.
  if (outcome.connectMicros > 0) recorder.connect(outcome.connectMicros)
  if (outcome.tlsMicros > 0) recorder.tls(outcome.tlsMicros)
  if (outcome.firstByteMicros > 0) recorder.firstByte(outcome.firstByteMicros)
}

export function recordUnsent(counted: CountedStep, due: number, kind = 'render'): void {
  counted.recorder.record(false, nothing, microsBetween(due, performance.now()), nothing, 0, 0)
  counted.recorder.error(kind)
}

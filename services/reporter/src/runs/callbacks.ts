import { createHmac } from 'node:crypto'
import type { RunJob } from '@onrush/fleet/jobs'
import { addCallback, type Job, type Queue } from '@onrush/fleet/queues'
import type { Seal } from '@onrush/fleet/seal'
import type { JobTotals, Job as RunRecord, RunState, Verdict } from '@onrush/protocol/job'
import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import type { ThresholdResult, WholeSummary } from '@onrush/protocol/summary'
import type { TargetJudge } from '@onrush/protocol/targets'
import { guardedPost, postRefusal } from '@onrush/web/guarded-post'
import type { Ended } from './run-processor.ts'

/** What a callback tells: how the run ended, in a few kilobytes; the whole lies behind the links. */
export interface CallbackBody {
  readonly runId: string
  readonly name: string
  readonly kind: 'single' | 'simulation'
  readonly status: RunState
  readonly verdict?: Verdict | undefined
  readonly error?: string | undefined
  readonly totals?: JobTotals | undefined
  readonly summary?: WholeSummary | undefined
  readonly thresholds?: readonly ThresholdResult[] | undefined
  readonly links: RunRecord['links']
  readonly ext?: Json | undefined
}

export interface CallbackJob {
  readonly url: string
  readonly body: CallbackBody
}

const attemptMs = 10_000

/** A callback that could never be sent is a fault of the request, told before anything begins. */
export function callbackFaults(callback: string | undefined, judge: TargetJudge, path: string): Fault[] {
  const refusal = callback === undefined ? undefined : postRefusal(new URL(callback), judge)
  return refusal === undefined ? [] : [{ path, message: refusal }]
}

export const signatureOf = (key: string, timestamp: string, body: string): string =>
  `sha256=${createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')}`

export async function planCallback(queue: Queue<CallbackJob>, { callback, base }: RunJob, end: Ended): Promise<void> {
  if (callback === undefined) return
  const { runId, name, kind, links, ext } = base
  const { status, verdict, error, report } = end
  const body: CallbackBody = {
    runId,
    name,
    kind,
    status,
    verdict,
    error,
    totals: report?.totals,
    summary: report?.summary.whole,
    thresholds: report?.thresholds,
    links,
    ext,
  }
  // As the run's job holds it: sealed, because a webhook's URL is its password.
  await addCallback(queue, `${runId}-callback`, { url: callback, body })
}

export interface CallbackNeeds {
  readonly key: string
  readonly seal: Seal
  /** Where a reporter may post to. */
  readonly judge: TargetJudge
  readonly now: () => number
}

/** Posts once; a thrown error makes the queue try again later. A redirect is a failure: it could lead anywhere. */
export async function postCallback(needs: CallbackNeeds, job: Job<CallbackJob>): Promise<void> {
  const { body } = job.data
  const url = needs.seal.openText(job.data.url)
  const text = JSON.stringify(body)
  const timestamp = String(Math.floor(needs.now() / 1000))
  const post = {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'onrush',
      'x-onrush-run': body.runId,
      'x-onrush-timestamp': timestamp,
      'x-onrush-signature': signatureOf(needs.key, timestamp, text),
    },
    body: text,
    limitMs: attemptMs,
  }
  const status = await guardedPost(new URL(url), post, needs.judge)
  if (status < 200 || status > 299) throw new Error(`the callback answered ${status}`)
}

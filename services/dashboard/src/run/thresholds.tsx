import { duration } from '@onrush/protocol/figures'
import { measuredText } from '@onrush/protocol/measured'
import type { ThresholdResult } from '@onrush/protocol/summary'
import { Card } from '../parts/card.tsx'
import { VerdictWord } from '../parts/verdict.tsx'
import { isOver, type RunView } from './view.ts'

function window({ over, after, abort }: ThresholdResult): string {
  return [
    over === undefined ? '' : `over ${duration(over)}`,
    after === undefined ? '' : `after ${duration(after)}`,
    abort ? 'ends the run' : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

function Threshold({ result }: { result: ThresholdResult }) {
  const { metric, check, passed, value, failedAt, detail } = result
  const about = [window(result), failedAt === undefined ? '' : `first crossed at ${duration(failedAt)}`].filter(Boolean)
  const pending = passed && value === undefined
  return (
    <li class={`threshold ${pending ? 'pending' : passed ? 'passed' : 'failed'}`} title={detail}>
      <span class="threshold-mark">
        {pending ? (
          <span aria-hidden="true">◌</span>
        ) : (
          <VerdictWord verdict={passed ? 'passed' : 'failed'}> </VerdictWord>
        )}
        <span class="unseen">{pending ? 'nothing measured' : passed ? 'passed' : 'failed'}</span>
      </span>
      <span class="threshold-what">
        <span>{metric}</span> <code>{check}</code>
        {about.length > 0 && <small>{about.join(' · ')}</small>}
      </span>
      <b>{measuredText(result)}</b>
    </li>
  )
}

/** The questions that the run was to answer; those with a bad answer first. */
export function Thresholds({ view }: { view: RunView }) {
  const { thresholds, status } = view
  if (thresholds.length === 0) {
    if (!isOver(status)) return null
    return (
      <p class="aside">
        No thresholds were set, so only the generator was judged. A threshold makes a run an answer:{' '}
        <code>{"thresholds: { duration: ['p(95)<500'], failed: ['rate<0.01'] }"}</code>
      </p>
    )
  }
  const failed = thresholds.filter(({ passed }) => !passed).length
  const note = failed === 0 ? `all ${thresholds.length} hold` : `${failed} of ${thresholds.length} failed`
  return (
    <Card title="Thresholds" note={note}>
      <ul class="thresholds">
        {thresholds
          .toSorted((a, b) => Number(a.passed) - Number(b.passed))
          .map(result => (
            <Threshold key={`${result.metric} ${result.check} ${result.over} ${result.after}`} result={result} />
          ))}
      </ul>
    </Card>
  )
}

import { count, duration } from '@onrush/protocol/figures'
import type { FailureSample } from '@onrush/protocol/frame'
import type { Failure } from '@onrush/protocol/report'
import { Card } from '../parts/card.tsx'
import { MiddleCut } from '../parts/middle-cut.tsx'
import { reachable } from '../parts/reachable.ts'
import { hasSeveral, placeName } from './place.ts'
import type { RunView } from './view.ts'

const matches = (failure: Failure) => (sample: FailureSample) =>
  sample.kind === failure.kind && sample.step === failure.step && sample.scenario === failure.scenario

const headersText = (headers: Record<string, string> | undefined) =>
  Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`)

function exchangeText({ request, response }: FailureSample): string {
  const sent =
    request === undefined
      ? []
      : [
          [request.method, request.url].filter(Boolean).join(' '),
          ...headersText(request.headers),
          '',
          request.body ?? '',
        ]
  const got =
    response === undefined
      ? []
      : [
          '',
          response.status === undefined ? 'response' : `→ ${response.status}`,
          ...headersText(response.headers),
          '',
          response.body ?? '',
        ]
  return [...sent, ...got]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function Sample({ sample }: { sample: FailureSample }) {
  const text = exchangeText(sample)
  return (
    <>
      <p class="sample-message">
        <span class="muted">{duration(Math.max(0, sample.at))}:</span> {sample.message}
      </p>
      {text !== '' && (
        <details>
          <summary>Request and response</summary>
          <pre {...reachable}>{text}</pre>
        </details>
      )}
    </>
  )
}

const shownAtOnce = 50

/** What went wrong, grouped, most frequent first, with one example each. */
export function Failures({ view }: { view: RunView }) {
  const { failures, summary } = view
  if (failures.length === 0) return null
  const several = hasSeveral(failures)
  const more = failures.length - shownAtOnce
  return (
    <Card id="failures" title="Failures" note="grouped by step and kind, with one example each">
      <ul class="failures">
        {failures.slice(0, shownAtOnce).map(failure => {
          const sample = summary?.samples.find(matches(failure))
          return (
            <li key={`${failure.scenario}/${failure.step}/${failure.kind}`}>
              <div class="failure-head">
                <b class="failed">{count(failure.count)}</b>
                <code>{failure.kind}</code>
                <span class="in">
                  in <MiddleCut text={placeName(failure, several)} />
                </span>
                <span class="muted when">
                  {duration(failure.firstAt)} to {duration(failure.lastAt)}
                </span>
              </div>
              {sample !== undefined && <Sample sample={sample} />}
            </li>
          )
        })}
      </ul>
      {more > 0 && <p class="aside">… and {count(more)} kinds more, in report.json.</p>}
    </Card>
  )
}

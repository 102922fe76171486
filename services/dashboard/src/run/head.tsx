import { duration } from '@onrush/protocol/figures'
import type { ComponentChildren } from 'preact'
import { Instant } from '../parts/instant.tsx'
import { StateWord, VerdictWord } from '../parts/verdict.tsx'
import { isOver, type RunView } from './view.ts'

/** Whose run it is, how it stands, and what can be done about it. */
export function RunHead({ view, actions }: { view: RunView; actions?: ComponentChildren }) {
  const { name, run, status, verdict, startedAt, createdAt, elapsedMs, plan } = view
  const over = isOver(status)
  const began = startedAt ?? createdAt
  const planned = plan.durationMs
  return (
    <header class="run-head">
      <div class="run-title">
        <h1>
          {name}
          {run?.environment.name !== undefined && <span class="muted"> · {run.environment.name}</span>}
        </h1>
        {run?.description !== undefined && <p class="muted">{run.description}</p>}
        <p class="muted run-facts">
          {!over && <StateWord state={status} />}
          {status === 'running' && ` ${duration(elapsedMs)}${planned === null ? '' : ` of ${duration(planned)}`}`}
          {over && (
            <>
              {status === 'failed' ? 'broke off' : status} after {duration(elapsedMs)}
              {planned !== null && Math.abs(planned - elapsedMs) > 1500 && ` of ${duration(planned)} planned`}
            </>
          )}
          {began !== undefined && (
            <>
              {' · '}
              {startedAt === undefined ? 'asked for' : 'started'} <Instant at={began} />
            </>
          )}
        </p>
      </div>
      <div class="run-side">
        {over && verdict !== undefined && (
          <div class={`verdict ${verdict}`}>
            <VerdictWord verdict={verdict} />
          </div>
        )}
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
    </header>
  )
}

import { count, duration } from '@onrush/protocol/figures'
import type { Job } from '@onrush/protocol/job'
import { useNow } from '../frame/clock.ts'
import { Card } from '../parts/card.tsx'
import { MiddleCut } from '../parts/middle-cut.tsx'
import { some } from '../parts/some.ts'
import { StateWord } from '../parts/verdict.tsx'
import { href } from '../route.ts'

/** What runs and waits now. */
export function Going({ jobs }: { jobs: readonly Job[] }) {
  return (
    <Card title="Now" note={some(jobs.length, 'run', 'runs')}>
      <ul class="going">
        {jobs.map(job => (
          <GoingRun key={job.runId} job={job} />
        ))}
      </ul>
    </Card>
  )
}

function GoingRun({ job }: { job: Job }) {
  const { runId, name, status, startedAt, plan, totals, workers } = job
  const now = useNow()
  const elapsed = startedAt === undefined ? 0 : Math.max(0, now - Date.parse(startedAt))
  const part = plan.durationMs === null || startedAt === undefined ? 0 : Math.min(1, elapsed / plan.durationMs)
  return (
    <li>
      <a class="going-run" href={href(['runs', runId])}>
        <span class="going-name">
          <b>
            <MiddleCut text={name} />
          </b>
          <StateWord state={status} />
        </span>
        <span class="going-figures">
          {status === 'running' && (
            <span>
              {duration(elapsed)}
              {plan.durationMs !== null && <span class="muted"> of {duration(plan.durationMs)}</span>}
            </span>
          )}
          {totals !== undefined && (
            <>
              <span>{some(totals.requests, 'request', 'requests')}</span>
              <span class={totals.failed > 0 ? 'failed' : 'muted'}>{count(totals.failed)} failed</span>
              <span>{count(totals.active)} active</span>
            </>
          )}
          <span class="muted">{some(workers.length, 'worker', 'workers')}</span>
        </span>
        <span class="going-bar">
          <span style={{ width: `${(part * 100).toFixed(1)}%` }} />
        </span>
      </a>
    </li>
  )
}

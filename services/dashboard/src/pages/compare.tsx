import type { Report } from '@onrush/protocol/report'
import type { StoredReport } from '@onrush/protocol/stored-report'
import { useEffect, useState } from 'preact/hooks'
import { usePolled } from '../api/polled.ts'
import { get } from '../api/request.ts'
import { Comparison } from '../compare/comparison.tsx'
import { Card } from '../parts/card.tsx'
import { Field } from '../parts/field.tsx'
import { ErrorNotice } from '../parts/notice.tsx'
import { go, href } from '../route.ts'
import { reportPath } from './use-run.ts'

const most = 5

/** Two to five runs, the first of them the baseline. */
export function ComparePage({ runs }: { runs: readonly string[] }) {
  const [reports, setReports] = useState<readonly Report[]>()
  const [error, setError] = useState<Error>()
  const key = runs.join(',')
  useEffect(() => {
    let left = false
    Promise.all(runs.slice(0, most).map(runId => get<Report>(reportPath(runId))))
      .then(each => left || setReports(each))
      .catch((failure: Error) => left || setError(failure))
    return () => {
      left = true
    }
  }, [key])
  return (
    <>
      <header class="page-head">
        <h1>Compare</h1>
        <div class="actions">
          <AddRun runs={runs} />
        </div>
      </header>
      {error !== undefined && <ErrorNotice error={error} />}
      {error === undefined && reports === undefined && <p class="loading">Loading {runs.length} reports …</p>}
      {reports !== undefined && reports.length < 2 && (
        <Card title="One run so far">
          <p class="aside">Choose another to hold against {reports[0]?.run.runId ?? 'it'}.</p>
        </Card>
      )}
      {reports !== undefined && reports.length > 1 && (
        <Comparison reports={reports} link={runId => href(['runs', runId])} />
      )}
    </>
  )
}

function AddRun({ runs }: { runs: readonly string[] }) {
  const { data } = usePolled<StoredReport[]>('api/reporters?list=reports', 10_000)
  const others = (data ?? []).filter(({ runId }) => !runs.includes(runId)).slice(0, 200)
  if (runs.length >= most || others.length === 0) return null
  return (
    <Field label="Add a run">
      <select
        value=""
        onChange={event => go(href(['compare'], { runs: [...runs, event.currentTarget.value].join(',') }))}
      >
        <option value="">choose …</option>
        {others.map(({ runId, verdict }) => (
          <option key={runId} value={runId}>
            {runId} ({verdict})
          </option>
        ))}
      </select>
    </Field>
  )
}

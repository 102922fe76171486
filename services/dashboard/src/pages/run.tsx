import { useState } from 'preact/hooks'
import { post } from '../api/request.ts'
import { AskDialog } from '../parts/dialog.tsx'
import { Empty, ErrorNotice } from '../parts/notice.tsx'
import { href } from '../route.ts'
import { RunPage } from '../run/run-page.tsx'
import { isOver, type RunView } from '../run/view.ts'
import { useRun } from './use-run.ts'

/** A run while it goes on, and its report once there is one. */
export function LiveRunPage({ runId }: { runId: string }) {
  const { view, error } = useRun(runId)
  if (view === undefined) {
    if (error !== undefined)
      return (
        <Empty title="This run cannot be shown">
          <ErrorNotice error={error} />
          <p>
            <a href={href(['runs'])}>All runs</a>
          </p>
        </Empty>
      )
    return <p class="loading">Loading {runId} …</p>
  }
  return <RunPage view={view} actions={<Actions view={view} />} />
}

function Actions({ view }: { view: RunView }) {
  const { runId, status } = view
  const over = isOver(status)
  return over ? (
    <>
      <a class="button" href={href(['compare'], { runs: runId })}>
        Compare
      </a>
      <a class="button" href={`report/${runId}`} target="_blank" rel="noreferrer">
        Report
      </a>
      <a class="button primary acts" href={href(['new'], { again: runId })}>
        Run again
      </a>
    </>
  ) : (
    <StopButton view={view} />
  )
}

function StopButton({ view }: { view: RunView }) {
  const { runId, status } = view
  const [asking, setAsking] = useState(false)
  const [asked, setAsked] = useState(false)
  const [error, setError] = useState<Error>()
  const stop = () => {
    setAsked(true)
    post('api/stop', { runId }).catch(failure => {
      setAsked(false)
      setError(failure)
    })
  }
  return (
    <>
      <button
        type="button"
        class="danger acts"
        disabled={asked || status === 'gathering'}
        onClick={() => setAsking(true)}
      >
        {asked ? 'Stopping …' : 'Stop'}
      </button>
      {error !== undefined && <ErrorNotice error={error} />}
      {asking && (
        <AskDialog title="Stop this run?" action="Stop the run" onAct={stop} onClose={() => setAsking(false)}>
          <p>
            No new session starts. Those that run have their grace to end, and the report is built of what was measured.
          </p>
        </AskDialog>
      )}
    </>
  )
}

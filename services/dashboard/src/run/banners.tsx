import { duration, share } from '@onrush/protocol/figures'
import { Notice } from '../parts/notice.tsx'
import { isOver, type RunView } from './view.ts'

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** What one has to know before believing a number. */
export function Banners({ view }: { view: RunView }) {
  const { error, generator, stopped, workers, notes, run, status } = view
  const lost = workers.filter(worker => worker.lost !== undefined || worker.status === 'lost')
  const over = isOver(status)
  return (
    <div class="notices">
      {error !== undefined && <Notice kind="failed">The run failed: {sentence(error)}</Notice>}
      {lost.map(worker => (
        <Notice key={worker.id} kind="failed">
          Worker <b>{worker.id}</b> was lost
          {worker.lost !== undefined && ` after ${duration(worker.lost.at)}`}:{' '}
          {worker.lost?.takenOver
            ? 'the others took over the rest of its part.'
            : `${share(worker.share)} of the load is missing from then on.`}
        </Notice>
      ))}
      {generator !== undefined && (over || !generator.valid) && (
        <Notice kind={generator.valid ? 'passed' : 'invalid'}>{generator.sentence}</Notice>
      )}
      {stopped !== undefined && (
        <Notice kind="info">
          Stopped after {duration(Math.max(0, stopped.at))}: {sentence(stopped.reason)}
        </Notice>
      )}
      {[...(generator?.warnings ?? []), ...(run?.warnings ?? []), ...notes].map(text => (
        <Notice key={text} kind="invalid">
          {sentence(text)}
        </Notice>
      ))}
    </div>
  )
}

import type { Job } from '@onrush/protocol/job'
import type { JobMonitorMessage } from '@onrush/protocol/job-monitor'
import { eventsOf } from './events.ts'
import { joinPoints, joinSteps } from './join-points.ts'
import { addTraces } from './traced.ts'
import type { RunView } from './view.ts'

function withJob(view: RunView, { status, verdict, error, startedAt, workers }: Job): RunView {
  return { ...view, status, verdict, error, startedAt: startedAt ?? view.startedAt, reserved: workers }
}

/** What a run looks like after a message of its monitor. */
export function follow(view: RunView, message: JobMonitorMessage): RunView {
  switch (message.type) {
    case 'snapshot': {
      const { type: _, job, header, parts, ...course } = message
      const next = { ...withJob(view, job), ...course, run: header ?? view.run, workers: parts }
      return { ...next, events: eventsOf(view, next) }
    }
    case 'second': {
      const { type: _, runId: __, workers, point, stepPoints, parts, ...soFar } = message
      const series = point === undefined ? view.series : joinPoints(view.series, [point])
      const stepSeries = joinSteps(view.stepSeries, stepPoints)
      const next = { ...view, ...soFar, series, stepSeries, reserved: workers, workers: parts }
      return { ...next, events: eventsOf(view, next) }
    }
    case 'trace':
      return { ...view, traces: addTraces(view.traces, message) }
    case 'state':
      return withJob(view, message.job)
    default:
      return message satisfies never
  }
}

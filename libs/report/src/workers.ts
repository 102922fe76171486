import type { JobWorker } from '@onrush/protocol/job'
import type { ReportWorker } from '@onrush/protocol/report'
import type { RunEnd, RunHeader } from '@onrush/protocol/run-log'
import { WorkerPart } from './worker-part.ts'

/** Every worker that was to take part, whether or not it was heard of again. */
export function reportWorkers(
  header: RunHeader,
  end: Pick<RunEnd, 'workers' | 'elapsedMs'>,
  parts: ReadonlyMap<string, WorkerPart>,
): ReportWorker[] {
  return header.workers.map(({ id, threads, share, machine }) => {
    const ended = end.workers.find(worker => worker.id === id) ?? {
      id,
      status: 'lost' as const,
      error: 'it never said how it ended',
      books: [],
      imbalances: [],
      crashes: [],
      notes: [],
    }
    const { hostname } = machine ?? header.machine
    return { ...ended, hostname, threads, share, ...(parts.get(id) ?? new WorkerPart()).measured(end.elapsedMs) }
  })
}

/** The same while the run goes on, of which the books are not closed. */
export function workersSoFar(
  header: RunHeader,
  states: readonly JobWorker[],
  elapsedMs: number,
  parts: ReadonlyMap<string, WorkerPart>,
): ReportWorker[] {
  const workers = header.workers.map(({ id }) => ({
    status: 'running' as const,
    ...states.find(worker => worker.id === id),
    id,
    books: [],
    imbalances: [],
    crashes: [],
    notes: [],
  }))
  return reportWorkers(header, { workers, elapsedMs }, parts)
}

/** From the first worker's beginning to the last one's; nothing to say of a single one. */
export function skewOf({ workers }: RunEnd): number | undefined {
  const skews = workers.flatMap(({ skewMs }) => (skewMs === undefined ? [] : [skewMs]))
  return skews.length < 2 ? undefined : Math.max(...skews) - Math.min(...skews)
}

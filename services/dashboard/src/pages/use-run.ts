import type { Job } from '@onrush/protocol/job'
import type { JobMonitorMessage } from '@onrush/protocol/job-monitor'
import type { Report } from '@onrush/protocol/report'
import { useEffect, useState } from 'preact/hooks'
import { locked } from '../api/access.ts'
import { backoffMs } from '../api/backoff.ts'
import { get, Unreachable } from '../api/request.ts'
import { openStream } from '../api/stream.ts'
import { follow } from '../run/follow.ts'
import { isOver, type RunView, viewOfJob, viewOfReport } from '../run/view.ts'

interface Shown {
  readonly view: RunView | undefined
  readonly error: Error | undefined
}

export const reportPath = (runId: string): string => `report/${encodeURIComponent(runId)}/report.json`
const jobPath = (runId: string) => `api/job/${encodeURIComponent(runId)}`

/** Follows a run: its job first, then its monitor, and its report when it has ended. */
class Follower {
  readonly #runId: string
  readonly #show: (shown: Shown) => void
  #view: RunView | undefined
  #close: (() => void) | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #frame: number | undefined
  #failures = 0
  #left = false

  constructor(runId: string, show: (shown: Shown) => void) {
    this.#runId = runId
    this.#show = show
    this.#begin()
  }

  leave(): void {
    this.#left = true
    clearTimeout(this.#timer)
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#close?.()
  }

  #begin(): void {
    this.#attempt(async () => {
      const job = await get<Job>(jobPath(this.#runId))
      if (this.#left) return
      this.#view ??= viewOfJob(job)
      if (isOver(job.status)) return await this.#end(job)
      this.#tell()
      this.#listen()
    })
  }

  /** Again and again while the reporter is away; what it says of the run itself is final. */
  #attempt(action: () => Promise<void>): void {
    action().catch((error: Error) => {
      if (this.#left) return
      const passing = error instanceof Unreachable || locked.value
      if (!passing) return this.#show({ view: this.#view, error })
      this.#timer = setTimeout(() => this.#attempt(action), backoffMs(this.#failures++))
    })
  }

  #listen(): void {
    this.#close = openStream<JobMonitorMessage>(`${jobPath(this.#runId)}/monitor`, {
      onMessage: message => {
        if (this.#view === undefined) return
        this.#view = follow(this.#view, message)
        if (isOver(this.#view.status)) {
          this.#close?.()
          this.#attempt(async () => await this.#end(await get<Job>(jobPath(this.#runId))))
        }
        this.#tell()
      },
    })
  }

  /** The report of a run that ended is there a moment later; one that never began has none. */
  async #end(job: Job): Promise<void> {
    if (job.startedAt === undefined) return this.#tell()
    const report = await get<Report>(reportPath(this.#runId))
    if (this.#left) return
    this.#view = viewOfReport(report)
    this.#tell()
  }

  /** Several messages at once, as after a pause, are drawn once. */
  #tell(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      if (!this.#left) this.#show({ view: this.#view, error: undefined })
    })
  }
}

export function useRun(runId: string): Shown {
  const [shown, show] = useState<Shown>({ view: undefined, error: undefined })
  useEffect(() => {
    show({ view: undefined, error: undefined })
    const follower = new Follower(runId, show)
    return () => follower.leave()
  }, [runId])
  return shown
}

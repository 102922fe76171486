import type { Job, Queue } from '@onrush/fleet/queues'
import type { Seal } from '@onrush/fleet/seal'
import { faultsInWords } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import { limits } from '@onrush/protocol/limits'
import { Schedule } from '@onrush/protocol/run-request'
import type { ScheduleEntry } from '@onrush/protocol/schedule-entry'
import { withoutSecrets } from '@onrush/protocol/secrets'
import type { TargetJudge } from '@onrush/protocol/targets'
import { callbackFaults } from './runs/callbacks.ts'
import type { StartRuns } from './runs/start-runs.ts'
import type { Scripts } from './scripts.ts'

/** A tick's job carries the whole schedule, so that what is due is what was asked for; sealed, because jobs are shown. */
export interface Tick {
  readonly id: string
  readonly sealed: string
}

const mostSchedules = limits.schedules.value

/** Runs that begin by themselves. */
export class Schedules {
  readonly #queue: Queue<Tick>
  readonly #seal: Seal
  readonly #judge: TargetJudge
  readonly #scripts: Pick<Scripts, 'ensure'>

  /** `judge`: where a callback may be sent; `scripts`: what may be called by name. */
  constructor(queue: Queue<Tick>, seal: Seal, judge: TargetJudge, scripts: Pick<Scripts, 'ensure'>) {
    this.#queue = queue
    this.#seal = seal
    this.#judge = judge
    this.#scripts = scripts
  }

  /** As anybody may see them: what is secret in a request is hidden. */
  async list(): Promise<ScheduleEntry[]> {
    const known = await this.#queue.getJobSchedulers(0, mostSchedules, true)
    return known.flatMap(({ template, next }) => {
      const schedule = template?.data === undefined ? undefined : scheduleOf(template.data, this.#seal)
      if (schedule === undefined) return []
      return [{ ...withoutSecrets(schedule), ...(next === undefined ? {} : { next: new Date(next).toISOString() }) }]
    })
  }

  /** Puts it in the place of one with the same id. */
  async put(schedule: Schedule): Promise<ScheduleEntry> {
    const { id, cron, timezone, everyMs, single, simulation } = schedule
    const faults = [
      ...callbackFaults(single?.callback, this.#judge, '$.single.callback'),
      ...callbackFaults(simulation?.callback, this.#judge, '$.simulation.callback'),
    ]
    if (faults.length > 0) throw new OnrushError('invalid', faultsInWords('the schedule', faults), { errors: faults })
    // Nobody would see that it never begins.
    if (typeof simulation?.simulation === 'string') await this.#scripts.ensure(simulation.simulation)
    if ((await this.#queue.getJobSchedulersCount()) >= mostSchedules) {
      throw new OnrushError('too_many', `expected at most ${mostSchedules} schedules; remove some`)
    }
    const repeat =
      cron === undefined
        ? { every: everyMs ?? 0 }
        : { pattern: cron, ...(timezone === undefined ? {} : { tz: timezone }) }
    try {
      await this.#queue.upsertJobScheduler(id, repeat, {
        name: 'tick',
        data: { id, sealed: this.#seal.text(JSON.stringify(schedule)) },
      })
    } catch (cause) {
      // What the queue alone can tell, as a time beyond all calendars.
      const message = cause instanceof Error ? cause.message : String(cause)
      const path = cron === undefined ? '$.everyMs' : '$.cron'
      throw new OnrushError('invalid', `the schedule cannot be read: ${message}`, {
        cause,
        errors: [{ path, message }],
      })
    }
    const [entry] = (await this.list()).filter(each => each.id === id)
    return entry ?? withoutSecrets(schedule)
  }

  async remove(id: string): Promise<boolean> {
    return await this.#queue.removeJobScheduler(id)
  }
}

/** Nothing for one that another fleet has sealed, or another version has written. */
function scheduleOf({ sealed }: Tick, seal: Seal): Schedule | undefined {
  const text = seal.openText(sealed)
  const checked = Schedule.safeParse(text.startsWith('{') ? JSON.parse(text) : undefined)
  return checked.success ? checked.data : undefined
}

/** Starts what is due, as a start over HTTP would; the tick's own id makes it begin once, whoever takes the tick again. */
export async function beginTick(starts: StartRuns, seal: Seal, job: Job<Tick>): Promise<void> {
  const { single, simulation } = scheduleOf(job.data, seal) ?? {}
  const key = { key: `schedule ${job.id}`, request: '' }
  if (single !== undefined) await starts.single(single, key)
  else if (simulation !== undefined) await starts.simulation(simulation, key)
}

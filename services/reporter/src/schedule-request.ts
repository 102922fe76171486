import { cronFault, timezoneFault } from '@onrush/fleet/schedule-faults'
import { Schedule } from '@onrush/protocol/run-request'

const { cron, timezone } = Schedule.shape

/** A schedule as it is asked for: each field is looked at by itself, so that all faults are told at once. */
export const ScheduleRequest = Schedule.safeExtend({
  cron: cron.superRefine((written, context) => {
    const message = written === undefined ? undefined : cronFault(written)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  }),
  timezone: timezone.superRefine((written, context) => {
    const message = written === undefined ? undefined : timezoneFault(written)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  }),
})

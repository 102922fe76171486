import { z } from 'zod'
import { Schedule } from './run-request.ts'

/** A schedule as the API lists it. */
export const ScheduleEntry = z.intersection(
  Schedule,
  z.object({ next: z.iso.datetime().optional().describe('its next run') }),
)
export type ScheduleEntry = z.infer<typeof ScheduleEntry>

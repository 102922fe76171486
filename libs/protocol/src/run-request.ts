import { z } from 'zod'
import { VariableName } from './export.ts'
import { Profile } from './injection.ts'
import { Json } from './json.ts'
import { limits } from './limits.ts'
import { NodeId, RunId } from './node.ts'
import { Simulation } from './simulation.ts'
import { Single } from './single.ts'
import { startFields } from './start-fields.ts'
import { StepName } from './step-fields.ts'

/** A registered script's name: its file's, without the ending. */
export const SimulationName = z
  .string()
  .max(limits.simulationName.value)
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/, {
    error: 'expected the name of a registered simulation',
  })

export const SimulationRequest = z.strictObject({
  simulation: z.union([SimulationName, Simulation], { error: "expected a simulation's name or an inline spec" }),
  name: StepName.optional(),
  environment: z.string().min(1).max(limits.environmentName.value).optional(),
  variables: z.record(VariableName, Json).optional(),
  inject: Profile.optional().describe("in place of the script's own"),
  ...startFields,
})
export type SimulationRequest = z.infer<typeof SimulationRequest>

export const StopRequest = z.union(
  [
    z.strictObject({ workers: z.array(NodeId).min(1) }),
    z.strictObject({ runId: RunId }),
    z.strictObject({ all: z.literal(true) }),
  ],
  { error: 'expected one of { "workers": [ids] }, { "runId": id } or { "all": true }' },
)
export type StopRequest = z.infer<typeof StopRequest>

export const CompileRequest = z.strictObject({
  workers: z
    .union([z.literal('all'), z.array(NodeId).min(1)], { error: 'expected "all" or a list of worker ids' })
    .optional(),
  pull: z.boolean().optional().describe('git pull first, fast-forward only'),
})
export type CompileRequest = z.infer<typeof CompileRequest>

export const Schedule = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, { error: 'expected an id of a-z, 0-9 and "-"' }),
    cron: z.string().min(9).max(100).optional().describe('minute hour day month weekday'),
    timezone: z.string().max(64).optional(),
    everyMs: z.int().min(1000).optional(),
    single: Single.optional(),
    simulation: SimulationRequest.optional(),
  })
  .superRefine((schedule, context) => {
    if ((schedule.cron === undefined) === (schedule.everyMs === undefined)) {
      context.addIssue({ code: 'custom', message: 'expected either "cron" or "everyMs"' })
    }
    if ((schedule.single === undefined) === (schedule.simulation === undefined)) {
      context.addIssue({ code: 'custom', message: 'expected either "single" or "simulation"' })
    }
  })
export type Schedule = z.infer<typeof Schedule>

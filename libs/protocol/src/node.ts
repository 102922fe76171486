import { z } from 'zod'

/** States of a worker's engine; a reporter is always `idle`. */
export const engineStates = ['idle', 'reserved', 'preparing', 'ready', 'running', 'draining'] as const
export const EngineState = z.enum(engineStates)
export type EngineState = z.infer<typeof EngineState>

/** `<name>-<yyyymmddhhmmss>-<6 random>`: safe as a file name, a queue's job id and a path segment. */
export const RunId = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$/, { error: 'expected a run id of a-z, 0-9 and "-"' })
export type RunId = z.infer<typeof RunId>

export const NodeId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, { error: 'expected a node id of a-z, 0-9 and "-", at most 63 long' })

/** A reporter or worker as it announces itself. */
export const NodeRecord = z.strictObject({
  id: NodeId,
  role: z.enum(['reporter', 'worker']),
  address: z.url({ protocol: /^https?$/ }).describe('http://host:port'),
  hostname: z.string().max(255),
  label: z.string().max(200).optional(),
  version: z.string().max(50),
  protocol: z.int().positive().describe('nodes of another one refuse its work'),
  status: EngineState,
  runId: RunId.optional(),
  startedAt: z.iso.datetime(),
  cores: z.int().positive(),
  threads: z.int().nonnegative(),
  memory: z.strictObject({ total: z.int().nonnegative(), used: z.int().nonnegative() }).describe('bytes'),
  load: z.number().nonnegative().describe('share of one core that the process uses, 0 to the number of cores'),
})
export type NodeRecord = z.infer<typeof NodeRecord>

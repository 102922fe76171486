import { z } from 'zod'
import { Pulled, WorkerCompile } from './compile-outcome.ts'
import { Json } from './json.ts'
import { Fault } from './problem.ts'

/** A version of a script that can be run. */
export const ScriptVersion = z.strictObject({
  hash: z.string().describe('sha256 of its bundle'),
  compiledAt: z.iso.datetime(),
})
export type ScriptVersion = z.infer<typeof ScriptVersion>

/** A script of a folder as the API lists it: what it is, or what is wrong with it. */
export const SimulationEntry = z.strictObject({
  name: z.string().describe('what a start calls it: its path in the folder, without the ending'),
  file: z.string().describe('relative to the folder'),
  status: z.enum(['ok', 'failed', 'compiling']).describe('of its newest version'),
  description: z.string().optional(),
  hash: z.string().optional().describe('of its newest version, where that is good'),
  lastGood: ScriptVersion.optional().describe('what runs instead while the newest version fails'),
  environments: z.array(z.string()).optional(),
  scenarios: z.array(z.string()).optional(),
  protocols: z.array(z.enum(['http', 'sql', 'grpc', 'jsonrpc'])).optional(),
  parameters: z.record(z.string(), Json).optional().describe('its variables, each with its default'),
  files: z.array(z.string()).optional().describe('the data files it names'),
  error: z.string().optional(),
  errors: z.array(Fault).optional().describe('why the newest version failed, each with file:line:column'),
  checkedAt: z.iso.datetime().describe('when it was compiled last, whatever came of it'),
  elapsedMs: z.number().nonnegative().optional().describe('how long that took'),
})
export type SimulationEntry = z.infer<typeof SimulationEntry>

/** What a compile came to. */
export const CompileOutcome = z.strictObject({
  ok: z.boolean(),
  compiled: z.int().nonnegative().describe('scripts that had changed and are good'),
  unchanged: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  elapsedMs: z.number().nonnegative(),
  simulations: z.array(SimulationEntry),
  error: z.string().optional().describe('why nothing was compiled: what stood in the way of the pull'),
  pulled: Pulled.optional(),
  workers: z.array(WorkerCompile).optional(),
})
export type CompileOutcome = z.infer<typeof CompileOutcome>

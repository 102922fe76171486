import { z } from 'zod'
import type { SetupFunction, TeardownFunction } from './code.ts'
import { Duration } from './duration.ts'
import { VariableName } from './export.ts'
import { HttpDefaults } from './http-step.ts'
import { Json } from './json.ts'
import { limits } from './limits.ts'
import { loadFields, Throttle } from './load.ts'
import { GrpcConnection, JsonRpcDefaults } from './rpc-step.ts'
import { Scenario } from './scenario.ts'
import { SqlConnection } from './sql-step.ts'
import type { Step } from './step.ts'
import { Thresholds } from './threshold.ts'

/** A value that never appears in logs, traces, reports or messages. */
export const Secret = z.strictObject({ $secret: z.string() })
export type Secret = z.infer<typeof Secret>

/** A secret with a field too many would be an ordinary value, and be shown. */
const Plain = Json.refine(value => typeof value !== 'object' || value === null || !('$secret' in value), {
  error: 'expected { "$secret": "…" } with a text in it and nothing beside it',
})
export const Environment = z.record(
  VariableName,
  z.union([Secret, Plain], { error: 'expected { "$secret": "…" } or any JSON' }),
)
export type Environment = z.infer<typeof Environment>

/** Limits of the generator's own verdict. */
export const GeneratorLimits = z.strictObject({
  lagP99: Duration.optional().describe('a p99 send lag beyond this makes the run invalid (default 10ms)'),
  missed: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('a share of missed arrivals beyond this makes it invalid (default 0.001)'),
})
export type GeneratorLimits = z.infer<typeof GeneratorLimits>

const functionOf = <T>(what: string) =>
  z.custom<T>(value => typeof value === 'function', { error: `expected a function; ${what} is written in TypeScript` })

const shape = z.strictObject({
  description: z.string().max(limits.description.value).optional(),
  environments: z.record(z.string().min(1), Environment).optional(),
  variables: z.record(VariableName, Json).optional().describe('job scope: $._j.<name>'),
  http: HttpDefaults.optional(),
  sql: z.record(z.string().min(1), SqlConnection).optional(),
  grpc: z.record(z.string().min(1), GrpcConnection).optional(),
  jsonrpc: JsonRpcDefaults.optional(),
  ...loadFields,
  throttle: Throttle.optional(),
  scenarios: z.array(Scenario).min(1, { error: 'expected at least one scenario' }).max(limits.scenarios.value),
  thresholds: Thresholds.optional(),
  generator: GeneratorLimits.optional(),
  onFailure: z.enum(['stop', 'continue']).optional(),
  renderResponses: z.boolean().optional(),
  seed: z.int().nonnegative().optional(),
  setup: functionOf<SetupFunction>('setup').optional(),
  teardown: functionOf<TeardownFunction>('teardown').optional(),
})

type Report = (path: (string | number)[], message: string) => void

function checkConnections(
  steps: readonly Step[],
  simulation: z.infer<typeof shape>,
  path: (string | number)[],
  report: Report,
): void {
  for (const [i, step] of steps.entries()) {
    const here = [...path, i]
    switch (step.type) {
      case 'sql': {
        const known = Object.keys(simulation.sql ?? {})
        if (!known.includes(step.on))
          report([...here, 'on'], `no SQL connection "${step.on}"; declared are: ${known.join(', ') || 'none'}`)
        break
      }
      case 'grpc': {
        const known = Object.keys(simulation.grpc ?? {})
        const on = step.on ?? (known.length === 1 ? known[0] : undefined)
        if (on === undefined)
          report(here, `expected "on", one of the gRPC connections: ${known.join(', ') || 'none is declared'}`)
        else if (!known.includes(on))
          report([...here, 'on'], `no gRPC connection "${on}"; declared are: ${known.join(', ') || 'none'}`)
        break
      }
      case 'jsonrpc':
        if (step.url === undefined && simulation.jsonrpc === undefined)
          report([...here, 'url'], 'expected a url, here or in the simulation\'s "jsonrpc"')
        break
      case 'group':
      case 'repeat':
      case 'during':
        checkConnections(step.steps, simulation, [...here, 'steps'], report)
        break
      case 'when':
        checkConnections(step.then, simulation, [...here, 'then'], report)
        checkConnections(step.else ?? [], simulation, [...here, 'else'], report)
        break
      case 'choose':
        for (const [j, branch] of step.of.entries())
          checkConnections(branch.steps, simulation, [...here, 'of', j, 'steps'], report)
        break
      case 'http':
        if (simulation.http?.baseUrl === undefined && !/^(https?:\/\/|\{\{)/.test(step.url)) {
          report(
            [...here, 'url'],
            `expected an absolute URL like "http://host/path" (there is no http.baseUrl), got ${JSON.stringify(step.url.slice(0, 100))}`,
          )
        }
        break
      case 'pause':
      case 'pace':
      case 'code':
        break
      default:
        step satisfies never
    }
  }
}

/** What single fields cannot tell: names that meet, populations that exclude each other, connections that exist. */
function checkWhole(simulation: z.infer<typeof shape>, report: Report): void {
  const seen = new Set<string>()
  for (const [i, scenario] of simulation.scenarios.entries()) {
    if (seen.has(scenario.name)) report(['scenarios', i, 'name'], `two scenarios are named "${scenario.name}"`)
    seen.add(scenario.name)
    checkConnections(scenario.steps, simulation, ['scenarios', i, 'steps'], report)
    if (scenario.inject === undefined) {
      for (const field of ['arrivals', 'loop', 'startAfter', 'rampDown', 'maxUsers'] as const) {
        if (scenario[field] !== undefined)
          report(
            ['scenarios', i, field],
            `"${field}" belongs to a load: give this scenario an "inject", or move it to the simulation`,
          )
      }
    } else if (scenario.weight !== undefined) {
      report(['scenarios', i, 'weight'], 'a scenario has either an "inject" of its own or a weight')
    }
  }
  const shared = simulation.scenarios.filter(scenario => scenario.inject === undefined)
  const weighted = shared.filter(scenario => scenario.weight !== undefined)
  if (weighted.length > 0 && weighted.length < shared.length) {
    report(['scenarios'], 'expected a weight on all scenarios without an "inject" or on none of them')
  }
  if (shared.length === 0 && simulation.inject !== undefined) {
    report(['inject'], 'every scenario has an "inject" of its own, so this one would start nobody')
  }
}

/** A script as data: what TypeScript, YAML and JSON all give. Functions stand in it only when it came from TypeScript. */
export const Simulation = shape.superRefine((simulation, context) =>
  checkWhole(simulation, (path, message) => context.addIssue({ code: 'custom', path, message })),
)
export type Simulation = z.infer<typeof shape>

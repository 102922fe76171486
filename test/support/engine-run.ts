import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Loaded,
  type RunHooks,
  type RunningLocal,
  type RunOptions,
  type RunResult,
  runLocal,
} from '@onrush/engine/run'
import { summarise } from '@onrush/metrics/summary'
import { Simulation } from '@onrush/protocol/simulation'
import type { StepSummary, Summary } from '@onrush/protocol/summary'
import { temporaryFolder } from './temporary-folder.ts'

let runs = 0

/** A simulation as data; what its steps are is checked when it is parsed. */
export function inline(spec: unknown): Loaded {
  const simulation = Simulation.parse(spec)
  return { simulation, source: { spec: simulation } }
}

/** A simulation as a script: the text of an ES module with a simulation as its default export. */
export async function script(text: string): Promise<Loaded> {
  const bundle = join(await temporaryFolder(), 'bundle.mjs')
  await writeFile(bundle, text)
  const module: { default: unknown } = await import(bundle)
  const simulation = Simulation.parse(module.default)
  return { simulation, source: { bundle, hash: 'test' } }
}

export function start(loaded: Loaded, options: Partial<RunOptions> = {}, hooks: RunHooks = {}): RunningLocal {
  return runLocal(loaded, { runId: `test-${++runs}`, threads: 2, seed: 1, ...options }, hooks)
}

export async function run(
  loaded: Loaded,
  options: Partial<RunOptions> = {},
  hooks: RunHooks = {},
): Promise<{ result: RunResult; summary: Summary }> {
  const result = await start(loaded, options, hooks).result
  return { result, summary: summarise(result.totals) }
}

export function stepOf(summary: Summary, name: string): StepSummary {
  const found = summary.steps.find(({ step }) => step === name)
  if (found === undefined) throw new Error(`no step "${name}", but ${summary.steps.map(({ step }) => step).join(', ')}`)
  return found
}

/** Status to count, as the target counts them. */
export function statusesOf({ status }: Pick<StepSummary, 'status'>): Record<string, number> {
  return Object.fromEntries(status.map(each => [String(each.status), each.count]))
}

export function errorsOf({ errors }: Pick<StepSummary, 'errors'>): Record<string, number> {
  return Object.fromEntries(errors.map(each => [each.kind, each.count]))
}

/** A request step that the target counts under its own name. */
export function get(name: string, url: string, more: object = {}): object {
  return { type: 'http', name, url, headers: { 'x-onrush-name': name }, ...more }
}

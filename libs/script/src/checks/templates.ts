import { compileAssertion } from '@onrush/context/assertion'
import { createEnvironment } from '@onrush/context/environment'
import { compileExports } from '@onrush/context/exports'
import { compileImports } from '@onrush/context/imports'
import { compileText, compileValue } from '@onrush/context/template'
import type { Json } from '@onrush/protocol/json'
import { jsonPath } from '@onrush/protocol/json-path'
import type { Fault } from '@onrush/protocol/problem'
import type { Environment, Simulation } from '@onrush/protocol/simulation'
import type { RequestStep, Step } from '@onrush/protocol/step'
import { everyStep, type Path } from '../every-step.ts'

const isJson = (value: unknown): value is Json => value !== undefined && typeof value !== 'function'

/** Fields that are read as they stand; whatever else is text may hold a template. */
const plain = new Set(['type', 'method', 'assert', 'export', 'onFailure', 'tags', 'on', 'transaction', 'query', 'if'])

/** The words of a program are no templates: `query` is one in HTTP, and a statement in SQL. */
function isPlain(step: Step, field: string): boolean {
  return plain.has(field) && !(field === 'query' && step.type === 'http')
}

function isSecret(value: unknown): value is { $secret: string } {
  return typeof value === 'object' && value !== null && '$secret' in value
}

function checkEnvironment(environment: Environment, where: string, faults: Fault[]): void {
  const found: Fault[] = []
  const values = Object.entries(environment).map(([name, value]) => [name, isSecret(value) ? value.$secret : value])
  const secrets = Object.keys(environment).filter(name => isSecret(environment[name]))
  createEnvironment(Object.fromEntries(values), secrets, found)
  for (const { path, message } of found) faults.push({ path: path.replace('$._env', () => where), message })
}

function checkStatement(statement: { query: string; raw?: boolean | undefined }, where: string, faults: Fault[]): void {
  if (statement.raw) compileText(statement.query, where, faults)
  else if (statement.query.includes('{{')) {
    faults.push({
      path: where,
      message:
        'expected a statement without templates: write ? and give the value in "params", which cannot be misused; "raw": true allows templates in the text',
    })
  }
}

function checkRequest(step: RequestStep, path: Path, faults: Fault[]): void {
  const at = (...more: Path) => jsonPath([...path, ...more])
  if (step.assert !== undefined) compileAssertion(step.assert, at('assert'), faults)
  if (step.export !== undefined) compileExports(step.export, at('export'), faults)
  for (const [tag, value] of Object.entries(step.tags ?? {})) compileText(value, at('tags', tag), faults)
  if (step.type !== 'sql') return
  const { query, raw, transaction = [] } = step
  if (query !== undefined) checkStatement({ query, raw }, at('query'), faults)
  for (const [i, statement] of transaction.entries()) {
    checkStatement(statement, at('transaction', i, 'query'), faults)
    compileValue(statement.params ?? [], at('transaction', i, 'params'), faults)
  }
}

function checkStep(step: Step, path: Path, faults: Fault[]): void {
  switch (step.type) {
    case 'http':
    case 'sql':
    case 'grpc':
    case 'jsonrpc':
      for (const [field, value] of Object.entries(step)) {
        if (!isPlain(step, field) && isJson(value)) compileValue(value, jsonPath([...path, field]), faults)
      }
      checkRequest(step, path, faults)
      break
    case 'when':
      compileAssertion(step.if, jsonPath([...path, 'if']), faults)
      break
    case 'repeat':
      compileValue(step.times, jsonPath([...path, 'times']), faults)
      break
    case 'group':
      compileText(step.name, jsonPath([...path, 'name']), faults)
      break
    case 'during':
    case 'choose':
    case 'pause':
    case 'pace':
    case 'code':
      break
    default:
      step satisfies never
  }
}

/** Compiles every template, path, assertion and export as the engine will, for the faults in them. */
export function checkTemplates(simulation: Simulation, faults: Fault[]): void {
  for (const [name, environment] of Object.entries(simulation.environments ?? {})) {
    checkEnvironment(environment, jsonPath(['environments', name]), faults)
  }
  compileImports(simulation.variables ?? {}, '$.variables', faults)
  for (const protocol of ['http', 'sql', 'grpc', 'jsonrpc'] as const) {
    const value: unknown = simulation[protocol]
    if (isJson(value)) compileValue(value, `$.${protocol}`, faults)
  }
  for (const [i, scenario] of simulation.scenarios.entries()) {
    compileImports(scenario.imports ?? {}, jsonPath(['scenarios', i, 'imports']), faults)
    for (const [step, path] of everyStep(scenario.steps, ['scenarios', i, 'steps'])) checkStep(step, path, faults)
  }
}

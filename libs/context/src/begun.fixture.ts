import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import { Context, type HttpResponse, type Times } from './context.ts'
import { createEnvironment } from './environment.ts'
import { compileImports } from './imports.ts'
import { Random } from './random.ts'

export const time: Times = { request: 3, micros: 3210, connect: 0, firstByte: 2500 }
export const globals = { runId: 'r', worker: 'w', user: 17, iteration: 2, arrival: 42 }

type Variables = { readonly [name: string]: Json }
type Given = {
  readonly environment?: Variables
  readonly secrets?: readonly string[]
  readonly variables?: Variables
  readonly imports?: Variables
  readonly row?: { readonly [column: string]: unknown }
  readonly renderResponses?: boolean
  readonly session?: number
}

/** A session that has begun its first scenario. */
export function begun(given: Given = {}): Context {
  const faults: Fault[] = []
  const environment = createEnvironment(given.environment ?? {}, given.secrets ?? [], faults)
  const variables = compileImports(given.variables ?? {}, 'variables', faults)
  const imports = compileImports(given.imports ?? {}, 'imports', faults)
  if (faults.length > 0) throw new Error(JSON.stringify(faults))
  const context = new Context()
  const settings = { environment, variables, renderResponses: given.renderResponses ?? true }
  context.beginSession(settings, { ...globals }, new Random(1, given.session ?? 1))
  context.beginScenario(imports, given.row)
  return context
}

export function jsonResponse(body: unknown, more: Partial<HttpResponse> = {}): HttpResponse {
  return {
    status: 200,
    statusText: 'OK',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    time,
    ...more,
  }
}

/** A session whose last response was this JSON. */
export function answered(body: unknown, given: Given = {}): Context {
  const context = begun(given)
  context.httpResponse(jsonResponse(body))
  return context
}

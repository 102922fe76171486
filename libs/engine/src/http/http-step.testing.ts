import { Context } from '@onrush/context/context'
import { createEnvironment } from '@onrush/context/environment'
import { Random } from '@onrush/context/random'
import { check } from '@onrush/protocol/check'
import { type HttpDefaults, HttpStep } from '@onrush/protocol/http-step'
import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import { expect } from 'vitest'
import { compileHttpStep } from './compile-http-step.ts'
import type { CompiledHttpStep, HttpOutcome, HttpSession } from './http-exchange.ts'
import { HttpTransport } from './http-transport.ts'
import type { Answer, ConnectionKey, Transport, WireRequest } from './transport.ts'

type Written = Omit<HttpStep, 'type' | 'name'>

export interface Bench {
  readonly session: HttpSession
  readonly transport: Transport
  compile(step: Written): { step: CompiledHttpStep; faults: Fault[] }
  /** The request as it would go to the wire. */
  prepare(step: Written): WireRequest
  run(step: Written): Promise<HttpOutcome>
  [Symbol.asyncDispose](): Promise<void>
}

interface Around {
  readonly http?: HttpDefaults
  readonly env?: Record<string, Json>
  readonly variables?: Record<string, unknown>
  readonly files?: Record<string, string>
}

/** A session, a transport, and what a simulation says around a step. */
export function httpBench({ http = {}, env = {}, variables = {}, files = {} }: Around = {}): Bench {
  const environment = createEnvironment(env, [], [])
  const fileMap = new Map(Object.entries(files))
  const transport = new HttpTransport({ http, files: fileMap })
  const context = new Context()
  const globals = { runId: 'run', worker: 'w', user: 1, iteration: 1, arrival: 1 }
  const none = { names: [], apply: () => undefined }
  context.beginSession({ environment, variables: none, renderResponses: false }, globals, new Random(1, 1))
  for (const [name, value] of Object.entries(variables)) context.export('_s', name, value)
  const session = { context, cookies: undefined, connections: undefined as ConnectionKey | undefined, number: 1 }
  const tools = { transport, defaults: http, environment, files: fileMap, userAgent: 'onrush/test' }

  const compile = (written: Written) => {
    const checked = check(HttpStep, { type: 'http', name: 'it', ...written })
    if (!checked.ok) expect.fail(JSON.stringify(checked.faults))
    const faults: Fault[] = []
    return { step: compileHttpStep(checked.value, tools, '$.it', faults), faults }
  }
  const whole = (written: Written): CompiledHttpStep => {
    const { step, faults } = compile(written)
    expect(faults).toEqual([])
    return step
  }
  return {
    session,
    transport,
    compile,
    prepare: written => whole(written).prepare(session),
    async run(written) {
      const step = whole(written)
      const request = step.prepare(session)
      context.beforeRequest()
      const outcome = await step.send(request, session)
      context.requestSent(outcome.request)
      if (outcome.response !== undefined) context.httpResponse(outcome.response)
      return outcome
    },
    [Symbol.asyncDispose]: () => transport.close(),
  }
}

export const headersOf = ({ headers }: WireRequest): Record<string, string> =>
  Object.fromEntries(headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1] ?? '']] : [])))

export const answerText = ({ response }: HttpOutcome): string => Buffer.from(response?.body ?? '').toString()

export const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status)

import type { HttpStep } from '@onrush/protocol/http-step'
import type { Fault } from '@onrush/protocol/problem'
import type { JsonRpcDefaults, JsonRpcStep } from '@onrush/protocol/rpc-step'
import type { RequestStep } from '@onrush/protocol/step'
import { compileHttpStep, type HttpTools } from '../http/compile-http-step.ts'
import type { CompiledHttpStep, HttpOutcome } from '../http/http-exchange.ts'
import { createSettle } from '../http/settle.ts'
import type { Outcome, Protocol, RequestRunner } from '../protocol.ts'
import type { Session } from '../session/session.ts'
import { readRpcAnswer } from './rpc-answer.ts'
import { compileRpcBody, type RpcBody } from './rpc-body.ts'

/** JSON-RPC 2.0 in the bodies of POST requests, over the connections of the `http` steps. */
export class JsonRpcProtocol implements Protocol {
  /** An HTTP status; what the protocol itself says is worse is told by the outcome. */
  readonly failsFrom = 400
  readonly #defaults: JsonRpcDefaults | undefined
  readonly #tools: HttpTools
  readonly #ids = new SessionIds()

  constructor(defaults: JsonRpcDefaults | undefined, tools: HttpTools) {
    this.#defaults = defaults
    this.#tools = tools
  }

  compile(step: RequestStep, where: string, faults: Fault[]): RequestRunner | undefined {
    if (step.type !== 'jsonrpc') return undefined
    const body = compileRpcBody(step, createSettle(this.#tools.environment, where, faults))
    const http = compileHttpStep(this.#postOf(step), this.#tools, where, faults)
    return new JsonRpcRunner(http, body, step.batch !== undefined, this.#ids)
  }

  endSession(session: Session): void {
    this.#ids.end(session)
  }

  /** The connections are those of `http`. */
  close(): Promise<void> {
    return Promise.resolve()
  }

  #postOf({ name, url, headers, timeout }: JsonRpcStep): HttpStep {
    return {
      type: 'http',
      name,
      method: 'POST',
      url: url ?? this.#defaults?.url ?? '',
      headers: { ...this.#defaults?.headers, ...headers },
      // Stands for the body of each request, for its content type.
      body: {},
      timeout,
    }
  }
}

/** Ids count from 1 in each session, so that a run's requests are the same whoever else is running. */
class SessionIds {
  readonly #next = new Map<Session, number>()

  take(session: Session, count: number): number {
    const first = this.#next.get(session) ?? 1
    this.#next.set(session, first + count)
    return first
  }

  end(session: Session): void {
    this.#next.delete(session)
  }
}

class JsonRpcRunner implements RequestRunner {
  readonly #http: CompiledHttpStep
  readonly #body: RpcBody
  readonly #isBatch: boolean
  readonly #ids: SessionIds

  constructor(http: CompiledHttpStep, body: RpcBody, isBatch: boolean, ids: SessionIds) {
    this.#http = http
    this.#body = body
    this.#isBatch = isBatch
    this.#ids = ids
  }

  async run(session: Session): Promise<Outcome> {
    const firstId = this.#ids.take(session, this.#body.answered)
    const body = this.#body.render(session.context, firstId)
    const request = { ...this.#http.prepare(session), body }
    session.sending()
    const outcome = await this.#http.send(request, session, session.signal)
    session.context.requestSent(outcome.request)
    const { failure, response } = outcome
    if (response === undefined) return outcome
    if (failure !== undefined) {
      session.context.httpResponse(response)
      return outcome
    }
    return this.#read(session, outcome, response, firstId)
  }

  #read(
    { context }: Session,
    outcome: HttpOutcome,
    response: NonNullable<HttpOutcome['response']>,
    firstId: number,
  ): Outcome {
    const text = typeof response.body === 'string' ? response.body : utf8.decode(response.body)
    const answer = readRpcAnswer(text, this.#body.calls, this.#isBatch, firstId)
    if (!answer.ok) {
      context.httpResponse(response)
      // A proxy's own page says more by its status than by not being JSON-RPC.
      if (response.status >= 400) return outcome
      return { ...outcome, failure: { kind: 'malformed_response', message: answer.message } }
    }
    const { entity, error } = answer
    const status = error?.code ?? 0
    const { headers, time } = response
    context.rpcResponse({ status, statusText: error?.message ?? 'OK', headers, trailers: [], message: entity, time })
    if (error === undefined) return outcome
    return { ...outcome, refusal: { kind: `rpc:${error.code}`, message: `${error.code}: ${error.message}` } }
  }
}

const utf8 = new TextDecoder()

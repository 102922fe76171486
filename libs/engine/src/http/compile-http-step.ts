import { performance } from 'node:perf_hooks'
import type { Environment } from '@onrush/context/environment'
import type { HttpDefaults, HttpStep } from '@onrush/protocol/http-step'
import { limits } from '@onrush/protocol/limits'
import type { Fault } from '@onrush/protocol/problem'
import { answerHeader } from './answer-header.ts'
import { type BodyPlan, compileBody } from './body-plan.ts'
import { decodeBody, encodings } from './decode-body.ts'
import { toFailure } from './failure.ts'
import { compileHeaders, type HeaderPlan } from './header-plan.ts'
import type { CompiledHttpStep, HttpOutcome, HttpSession } from './http-exchange.ts'
import type { Address } from './origin.ts'
import { outcomeOf } from './outcome.ts'
import { followRedirect, redirectOf } from './redirect.ts'
import { keepCookies, withCookies } from './session-cookies.ts'
import { createSettle } from './settle.ts'
import { timeoutsOf } from './timeouts.ts'
import type { Files } from './tls-settings.ts'
import type { Answer, ConnectionKey, Failure, Timeouts, Transport, WireRequest } from './transport.ts'
import { compileUrl, type UrlPlan } from './url-plan.ts'

/** What the steps of a thread have in common. */
export interface HttpTools {
  readonly transport: Transport
  /** The simulation's `http`. */
  readonly defaults: HttpDefaults
  readonly environment: Environment
  readonly files: Files
  /** `onrush/1.2.3` */
  readonly userAgent: string
}

const defaultMaxBody = limits.responseBody.value

/** Everything that does not depend on a session is done here, once per thread. Problems are added to `faults`. */
export function compileHttpStep(step: HttpStep, tools: HttpTools, where: string, faults: Fault[]): CompiledHttpStep {
  return new HttpRequests(step, tools, where, faults)
}

class HttpRequests implements CompiledHttpStep {
  readonly #transport: Transport
  readonly #method: string
  readonly #url: UrlPlan
  readonly #headers: HeaderPlan
  readonly #body: BodyPlan
  readonly #timeouts: Timeouts
  readonly #redirects: number
  readonly #cookies: boolean
  readonly #decodes: boolean
  readonly #discardBody: boolean
  readonly #maxBody: number
  readonly #ownConnections: boolean
  /** Set when every request of the step is the same one. */
  readonly #constant: WireRequest | undefined

  constructor(
    step: HttpStep,
    { transport, defaults, environment, files, userAgent }: HttpTools,
    where: string,
    faults: Fault[],
  ) {
    const settle = createSettle(environment, where, faults)
    const compression = step.compression ?? defaults.compression ?? false
    this.#transport = transport
    this.#method = step.method ?? 'GET'
    this.#url = compileUrl(step, defaults.baseUrl, settle)
    this.#body = compileBody(step, files, settle)
    const { contentType } = this.#body
    const otherwise = {
      accept: '*/*',
      'user-agent': userAgent,
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(compression ? { 'accept-encoding': encodings } : {}),
    }
    this.#headers = compileHeaders(step, defaults, otherwise, settle)
    this.#timeouts = timeoutsOf(step.timeout, defaults.timeout)
    this.#redirects = step.redirects ?? defaults.redirects ?? 10
    this.#cookies = step.cookies ?? defaults.cookies ?? true
    this.#discardBody = step.discardBody ?? defaults.discardBody ?? false
    this.#decodes = compression && !this.#discardBody
    this.#maxBody = step.maxBody ?? defaults.maxBody ?? defaultMaxBody
    this.#ownConnections = (step.connections ?? defaults.connections) === 'per-session'
    const { constant: address } = this.#url
    const { constant: headers } = this.#headers
    const { constant: body } = this.#body
    if (address !== undefined && headers !== undefined && body !== false && !this.#ownConnections) {
      this.#constant = this.#request(address, headers, body, undefined)
    }
  }

  prepare(session: HttpSession): WireRequest {
    if (this.#constant !== undefined) return this.#constant
    const { context } = session
    if (this.#ownConnections) session.connections ??= { session: session.number }
    const connections = this.#ownConnections ? session.connections : undefined
    return this.#request(
      this.#url.render(context),
      this.#headers.render(context),
      this.#body.render(context),
      connections,
    )
  }

  async send(request: WireRequest, session: HttpSession, signal?: AbortSignal): Promise<HttpOutcome> {
    // Without the session's cookies: each hop gets those that are its own.
    let bare = request
    let sent = this.#cookies ? withCookies(bare, session.cookies) : bare
    let answer = await this.#transport.send(sent, signal)
    if (this.#cookies) keepCookies(sent, answer, session)
    if (this.#redirects === 0) return this.#outcome(sent, answer, none, answer.failure)

    const startedAt = answer.sentAt
    let hops: Answer[] | undefined
    for (let location = redirectOf(answer); location !== undefined; location = redirectOf(answer)) {
      hops ??= []
      if (hops.length >= this.#redirects) return this.#outcome(sent, answer, hops, tooMany(this.#redirects, location))
      const next = followRedirect(bare, answer.status, location)
      if ('kind' in next) return this.#outcome(sent, answer, hops, next)
      hops.push(answer)
      const total = Math.max(1, this.#timeouts.total - (performance.now() - startedAt))
      bare = { ...next, timeouts: { ...next.timeouts, total } }
      sent = this.#cookies ? withCookies(bare, session.cookies) : bare
      answer = await this.#transport.send(sent, signal)
      if (this.#cookies) keepCookies(sent, answer, session)
    }
    return this.#outcome(sent, answer, hops ?? none, answer.failure)
  }

  #request(
    { origin, path }: Address,
    headers: string[],
    body: WireRequest['body'],
    connections: ConnectionKey | undefined,
  ): WireRequest {
    const { authorization } = origin
    const isExtra = authorization !== undefined && !this.#headers.has('authorization')
    return {
      origin: origin.text,
      path,
      method: this.#method,
      headers: isExtra ? [...headers, 'authorization', authorization] : headers,
      body,
      discardBody: this.#discardBody,
      maxBody: this.#maxBody,
      timeouts: this.#timeouts,
      connections,
    }
  }

  #outcome(
    sent: WireRequest,
    answer: Answer,
    hops: readonly Answer[],
    failure: Failure | undefined,
  ): HttpOutcome | Promise<HttpOutcome> {
    const encoding = this.#decodes && failure === undefined ? answerHeader(answer, 'content-encoding') : undefined
    if (encoding === undefined) return outcomeOf(sent, answer, hops, failure, answer.body)
    return decodeBody(answer.body, encoding, this.#maxBody).then(
      body => outcomeOf(sent, answer, hops, failure, body),
      error => outcomeOf(sent, answer, hops, toFailure(error, 'exchange'), nothing),
    )
  }
}

const none: readonly Answer[] = Object.freeze([])
const nothing = new Uint8Array(0)

const tooMany = (limit: number, location: string): Failure => ({
  kind: 'too_many_redirects',
  message: `expected at most ${limit} redirects; the next one leads to ${JSON.stringify(location.slice(0, 200))}`,
})

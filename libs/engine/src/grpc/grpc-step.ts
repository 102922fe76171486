import type { Environment } from '@onrush/context/environment'
import { durationMs } from '@onrush/protocol/duration'
import type { Fault } from '@onrush/protocol/problem'
import type { GrpcStep } from '@onrush/protocol/rpc-step'
import { createSettle } from '../http/settle.ts'
import type { Outcome, RequestRunner } from '../protocol.ts'
import type { Session } from '../session/session.ts'
import { type Verdict, verdictOf } from './call-outcome.ts'
import type { CallWatch } from './call-watch.ts'
import { codeName, codes } from './codes.ts'
import { type CallEnd, countFault, makeCall } from './grpc-call.ts'
import { GrpcChannel } from './grpc-channel.ts'
import type { GrpcConnection } from './grpc-connection.ts'
import { compileMessage, type MessagePlan } from './message-plan.ts'
import { compileMetadata } from './metadata-plan.ts'
import type { GrpcMethod } from './schema.ts'

/** A call without a deadline, as for HTTP: long enough for any service that still is one. */
const longest = 120_000
const defaultMessages = 1000

/** A `grpc` step compiled for a thread. */
export class GrpcRunner implements RequestRunner {
  readonly #connection: GrpcConnection
  readonly #method: GrpcMethod
  readonly #metadata: ReturnType<typeof compileMetadata>
  readonly #messages: readonly MessagePlan[]
  readonly #watch: CallWatch
  /** As declared, and then told to the server. */
  readonly #deadlineMs: number | undefined
  readonly #keep: number
  readonly #shown: { readonly method: string; readonly url: string }

  constructor(
    step: GrpcStep,
    connection: GrpcConnection,
    method: GrpcMethod,
    { environment, watch }: { environment: Environment; watch: CallWatch },
    where: string,
    faults: Fault[],
  ) {
    const { declared } = connection
    const settle = createSettle(environment, where, faults)
    this.#connection = connection
    this.#method = method
    this.#watch = watch
    this.#metadata = compileMetadata(declared.metadata ?? {}, step.metadata ?? {}, settle)
    this.#messages = compileMessages(step, method, where, faults)
    const deadline = step.deadline ?? declared.deadline
    this.#deadlineMs = deadline === undefined ? undefined : durationMs(deadline)
    this.#keep = method.serverStream ? (step.maxMessages ?? defaultMessages) : 2
    const scheme = declared.tls === undefined || declared.tls === false ? 'grpc' : 'grpcs'
    this.#shown = { method: method.path.slice(1), url: `${scheme}://${connection.authority}${method.path}` }
  }

  async run(session: Session): Promise<Outcome> {
    const { context } = session
    // Rendered first: a message may refer to the response before it, which sending erases.
    const metadata = this.#metadata.constant ?? this.#metadata.render(context)
    const messages = this.#messages.map(plan => plan(context))
    session.sending()
    const values = messages.map(message => message.value)
    context.requestSent({
      ...this.#shown,
      headers: metadata.shown,
      body: this.#method.clientStream ? values : (values[0] ?? {}),
    })
    const asked = performance.now()
    const deadline = this.#deadlineMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + this.#deadlineMs
    const opened = this.#connection.channelFor(session)
    const channel = opened instanceof Promise ? await opened : opened
    if (!(channel instanceof GrpcChannel)) return this.#unreachable(session, channel.kind, channel.message)
    let connectMicros = 0
    if (!channel.isSettled) {
      const began = performance.now()
      const isOurs = await channel.settle(Math.min(deadline, Date.now() + longest), session.signal)
      if (isOurs && channel.isConnected) connectMicros = Math.max(1, Math.round((performance.now() - began) * 1000))
    }
    const wasConnected = channel.isConnected
    const request = {
      path: this.#method.path,
      metadata: metadata.metadata,
      messages: messages.map(message => message.bytes),
      deadline,
      until: this.#deadlineMs === undefined ? asked + longest : Number.POSITIVE_INFINITY,
      keep: this.#keep,
    }
    const end = await makeCall(channel, request, session.signal, this.#watch)
    const verdict = verdictOf(end, session.interrupted || channel.isClosed)
    return this.#outcome(session, end, verdict, wasConnected, connectMicros)
  }

  #outcome(
    session: Session,
    end: CallEnd,
    verdict: Verdict | undefined,
    wasConnected: boolean,
    connectMicros: number,
  ): Outcome {
    const { context } = session
    const { code, details, sentAt, endedAt } = end
    const firstByteMicros = end.firstAt === 0 ? 0 : Math.round((end.firstAt - sentAt) * 1000)
    const time = {
      request: Math.round(endedAt - sentAt),
      micros: Math.round((endedAt - sentAt) * 1000),
      connect: connectMicros,
      firstByte: firstByteMicros,
    }
    const outcome = (failure: Outcome['failure'], refusal: Outcome['refusal']): Outcome => ({
      failure,
      refusal,
      answer: { reach: end.answered ? 'answered' : wasConnected ? 'in-doubt' : 'unsent', status: code },
      hops: noHops,
      sentAt,
      endedAt,
      connectMicros,
      tlsMicros: 0,
      firstByteMicros,
      bytesIn: end.bytesIn,
      bytesOut: end.bytesOut,
    })
    if (verdict?.fatal) return outcome({ kind: verdict.kind, message: verdict.message }, undefined)
    let message: unknown
    try {
      message = this.#messageOf(end)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return outcome({ kind: 'malformed_response', message: `not a ${this.#method.response.name}: ${why}` }, undefined)
    }
    const miscounted = countFault(end, this.#method.serverStream)
    if (miscounted !== undefined) return outcome({ kind: 'malformed_response', message: miscounted }, undefined)
    const isOk = code === codes.ok
    const trailers = isOk ? end.trailers : { ...end.trailers, 'grpc-status': String(code), 'grpc-message': details }
    context.rpcResponse({ status: code, statusText: codeName(code), headers: end.headers, trailers, message, time })
    const refusal = verdict === undefined ? undefined : { kind: verdict.kind, message: verdict.message }
    return outcome(undefined, refusal)
  }

  /** One map, or of a stream the list of those kept. A single call that failed has its failure in its place. */
  #messageOf({ code, details, messages }: CallEnd): unknown {
    const { response, serverStream } = this.#method
    if (serverStream) return messages.map(bytes => response.decode(bytes))
    const [first] = messages
    if (code !== codes.ok || first === undefined) return { code: codeName(code), message: details }
    return response.decode(first)
  }

  #unreachable(session: Session, kind: 'dns' | 'target_refused', message: string): Outcome {
    const now = performance.now()
    const refused = { kind, message }
    const isAnswer = kind === 'dns'
    const { unavailable } = codes
    if (isAnswer) {
      const time = { request: 0, micros: 0, connect: 0, firstByte: 0 }
      const entity = { code: codeName(unavailable), message }
      session.context.rpcResponse({
        status: unavailable,
        statusText: codeName(unavailable),
        headers: [],
        trailers: [],
        message: entity,
        time,
      })
    }
    return {
      failure: isAnswer ? undefined : refused,
      refusal: isAnswer ? refused : undefined,
      answer: { reach: 'unsent', status: unavailable },
      hops: noHops,
      sentAt: now,
      endedAt: now,
      connectMicros: 0,
      tlsMicros: 0,
      firstByteMicros: 0,
      bytesIn: 0,
      bytesOut: 0,
    }
  }
}

const noHops: readonly never[] = Object.freeze([])

function compileMessages(step: GrpcStep, method: GrpcMethod, where: string, faults: Fault[]): MessagePlan[] {
  const { message, messages } = step
  const compile = (written: typeof message, place: string) =>
    compileMessage(written ?? {}, method.request, where + place, faults)
  if (messages === undefined) {
    // A stream of nothing is a call too: it begins, and ends at once.
    return message === undefined && method.clientStream ? [] : [compile(message, '.message')]
  }
  if (message !== undefined)
    faults.push({ path: `${where}.messages`, message: 'expected either "message" or "messages"' })
  if (!method.clientStream) {
    faults.push({ path: `${where}.messages`, message: `${method.path.slice(1)} takes one message: use "message"` })
  }
  return messages.map((each, i) => compile(each, `.messages[${i}]`))
}

import type { HttpOutcome } from './http-exchange.ts'
import type { Answer, Failure, WireRequest } from './transport.ts'

/** What a step came to, from its last exchange and the redirects before it. */
export function outcomeOf(
  request: WireRequest,
  answer: Answer,
  hops: readonly Answer[],
  failure: Failure | undefined,
  body: Uint8Array,
): HttpOutcome {
  let { connectMicros, tlsMicros, bytesIn, bytesOut } = answer
  let ms = answer.endedAt - answer.sentAt
  for (const hop of hops) {
    connectMicros += hop.connectMicros
    tlsMicros += hop.tlsMicros
    bytesIn += hop.bytesIn
    bytesOut += hop.bytesOut
    ms += hop.endedAt - hop.sentAt
  }
  const { firstByteMicros, status, statusText, headers } = answer
  const time = {
    request: Math.round(ms),
    micros: Math.round(ms * 1000),
    connect: connectMicros + tlsMicros,
    firstByte: firstByteMicros,
  }
  return {
    failure,
    answer,
    hops,
    request: {
      method: request.method,
      url: request.origin + request.path,
      headers: request.headers,
      body: isInMemory(request.body) ? request.body : undefined,
    },
    response: status === 0 ? undefined : { status, statusText, headers, body, time },
    sentAt: hops[0]?.sentAt ?? answer.sentAt,
    endedAt: answer.endedAt,
    connectMicros,
    tlsMicros,
    firstByteMicros,
    bytesIn,
    bytesOut,
  }
}

const isInMemory = (body: WireRequest['body']): body is string | Uint8Array | undefined =>
  typeof body !== 'object' || body instanceof Uint8Array

import type { ErrorKind } from '../error-kind.ts'
import type { Failure } from './transport.ts'

/** How far an exchange had come when it failed: the same code means another thing in another place. */
export type Stage = 'name' | 'tcp' | 'proxy' | 'tls' | 'exchange'

/** A failure that we have found ourselves, on its way through code that carries errors. */
export class ExchangeError extends Error {
  readonly failure: Failure

  constructor(kind: ErrorKind, message: string) {
    super(message)
    this.failure = { kind, message }
  }
}

const byCode: { readonly [code: string]: ErrorKind } = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  // A body shorter than announced: the connection ended in the middle of it.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'reset',
  // undici's parser error, whose own code is often missing.
  HTTPParserError: 'malformed_response',
  ETIMEDOUT: 'timeout_connect',
  UND_ERR_CONNECT_TIMEOUT: 'timeout_connect',
  UND_ERR_HEADERS_TIMEOUT: 'timeout_headers',
  UND_ERR_BODY_TIMEOUT: 'timeout_body',
  UND_ERR_HEADERS_OVERFLOW: 'malformed_response',
  EADDRNOTAVAIL: 'ports_exhausted',
  EMFILE: 'files_exhausted',
  ENFILE: 'files_exhausted',
  UND_ERR_INVALID_ARG: 'render',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'render',
  UND_ERR_DESTROYED: 'interrupted',
  UND_ERR_CLOSED: 'interrupted',
  ENOTFOUND: 'dns',
  EPROTO: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  HOSTNAME_MISMATCH: 'tls',
  ERR_HTTP2_STREAM_ERROR: 'reset',
  ERR_HTTP2_STREAM_CANCEL: 'reset',
  ERR_HTTP2_SESSION_ERROR: 'reset',
  ERR_HTTP2_GOAWAY_SESSION: 'reset',
}

const byPrefix: readonly (readonly [string, ErrorKind])[] = [
  ['EAI_', 'dns'],
  ['HPE_', 'malformed_response'],
  ['ERR_HTTP2_', 'malformed_response'],
  ['ERR_TLS_', 'tls'],
  ['ERR_SSL_', 'tls'],
  ['ERR_OSSL_', 'tls'],
  ['CERT_', 'tls'],
  ['CRL_', 'tls'],
  ['UNABLE_TO_', 'tls'],
]

/** The one place that says what kind of failure an error is. */
export function toFailure(error: unknown, stage: Stage): Failure {
  if (error instanceof ExchangeError) return error.failure
  const { code, message } = told(error)
  return { kind: kindOf(code, message, stage), message: message === '' ? code : message }
}

function kindOf(code: string, message: string, stage: Stage): ErrorKind {
  // undici says so by its message alone: bytes that nobody asked for, or an upgrade.
  if (code === 'UND_ERR_SOCKET' && /^bad (?:response|upgrade)/.test(message)) return 'malformed_response'
  // A chunked body whose connection ended in the middle of it.
  if (message.includes('Invalid EOF state')) return 'reset'
  if (code === 'ERR_HTTP2_STREAM_ERROR' && message.includes('PROTOCOL_ERROR')) return 'malformed_response'
  const kind = byCode[code] ?? byPrefix.find(([prefix]) => code.startsWith(prefix))?.[1]
  // Only a new connection times out at the kernel's hands in this sense; later it is a peer that has gone.
  if (kind === 'timeout_connect' && stage === 'exchange') return 'reset'
  if (stage === 'tls' && (kind === 'reset' || kind === undefined)) return 'tls'
  if (stage === 'proxy' && kind !== 'files_exhausted' && kind !== 'ports_exhausted') return 'proxy'
  return kind ?? `other:${code}`
}

/** Codes are a closed set in practice, but nothing guarantees it: a name that is no code becomes one fixed key. */
function told(error: unknown): { code: string; message: string } {
  if (error instanceof AggregateError) return told(mostTelling(error.errors))
  if (!(error instanceof Error)) return { code: 'unknown', message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  // OpenSSL's message is a line of its log, with addresses in it; its reason is what a person can read.
  const message = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message
  return { code: /^\w{1,60}$/.test(code) ? code : 'unknown', message }
}

/** Several addresses of one name failed, each in its way. That one refused says more than that another has no route. */
function mostTelling(errors: readonly unknown[]): unknown {
  const rank = ['EMFILE', 'ECONNREFUSED', 'ETIMEDOUT', 'ECONNRESET']
  const ranked = errors.map(error => rank.indexOf(told(error).code)).map(at => (at === -1 ? rank.length : at))
  return errors[ranked.indexOf(Math.min(...ranked))]
}

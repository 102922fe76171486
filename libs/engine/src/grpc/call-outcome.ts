import type { ErrorKind } from '../error-kind.ts'
import { codeName, codes } from './codes.ts'
import type { CallEnd } from './grpc-call.ts'

export interface Verdict {
  readonly kind: ErrorKind
  readonly message: string
  /** Nothing to assert on. */
  readonly fatal: boolean
}

/** How a connection that never stood says so, with the system's words behind it. */
const unconnected = /^No connection established\. Last error: (.*?)(?:\. Resolution note:.*)?$/s

const connectKinds: readonly (readonly [RegExp, ErrorKind])[] = [
  [/ECONNREFUSED/, 'refused'],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/, 'timeout_connect'],
  [/certificate|self.signed|altnames|CERT_|SSL|TLS|EPROTO/i, 'tls'],
  [/ECONNRESET|EPIPE|socket hang up/, 'reset'],
  [/EADDRNOTAVAIL/, 'ports_exhausted'],
  [/EMFILE|ENFILE/, 'files_exhausted'],
]

/**
 * Why a call failed. Its code says it, unless the code is our own side's: then it is what happened to the connection,
 * under the names that the other protocols use.
 */
export function verdictOf(end: CallEnd, interrupted: boolean): Verdict | undefined {
  const { code, details, answered } = end
  if (code === codes.ok) return undefined
  if (interrupted) return { kind: 'interrupted', message: details, fatal: true }
  const verdict = (kind: ErrorKind): Verdict => ({ kind, message: details, fatal: false })
  if (end.expired) return verdict('timeout_total')
  if (!answered) {
    const connecting = unconnected.exec(details)?.[1]
    if (connecting !== undefined)
      return verdict(connectKinds.find(([words]) => words.test(connecting))?.[1] ?? 'refused')
    if (code === codes.unavailable)
      return verdict(
        /^(?:Connection dropped|read |write )|ECONNRESET/i.test(details) ? 'reset' : `grpc:${codeName(code)}`,
      )
  }
  if (/^Received message larger than max/i.test(details)) return verdict('too_large')
  return { kind: `grpc:${codeName(code)}`, message: `${codeName(code)}: ${details}`, fatal: false }
}

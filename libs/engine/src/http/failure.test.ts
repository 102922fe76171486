import { expect, test } from 'vitest'
import { ExchangeError, type Stage, toFailure } from './failure.ts'

const coded = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code })

test.each<[string, Stage, string]>([
  ['ECONNREFUSED', 'tcp', 'refused'],
  ['ENOTFOUND', 'name', 'dns'],
  ['EAI_AGAIN', 'name', 'dns'],
  ['ETIMEDOUT', 'tcp', 'timeout_connect'],
  ['ETIMEDOUT', 'exchange', 'reset'],
  ['EADDRNOTAVAIL', 'tcp', 'ports_exhausted'],
  ['EMFILE', 'tcp', 'files_exhausted'],
  ['ENFILE', 'name', 'files_exhausted'],
  ['EHOSTUNREACH', 'tcp', 'other:EHOSTUNREACH'],
  ['ECONNRESET', 'tls', 'tls'],
  ['ECONNRESET', 'exchange', 'reset'],
  ['EPIPE', 'exchange', 'reset'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls', 'tls'],
  ['CERT_HAS_EXPIRED', 'tls', 'tls'],
  ['ECONNREFUSED', 'proxy', 'proxy'],
  ['EMFILE', 'proxy', 'files_exhausted'],
  ['UND_ERR_HEADERS_OVERFLOW', 'exchange', 'malformed_response'],
  ['UND_ERR_INVALID_ARG', 'exchange', 'render'],
  ['not a code, but a sentence', 'exchange', 'other:unknown'],
])('%s while at %s is %s', (code, stage, kind) => {
  expect(toFailure(coded(code), stage).kind).toBe(kind)
})

test('of several addresses the most telling failure is told', () => {
  const error = new AggregateError([coded('ENETUNREACH', 'no route'), coded('ECONNREFUSED', 'refused by it')])
  expect(toFailure(error, 'tcp')).toEqual({ kind: 'refused', message: 'refused by it' })
  expect(toFailure(new AggregateError([coded('ENETUNREACH'), coded('EHOSTUNREACH')]), 'tcp').kind).toBe(
    'other:ENETUNREACH',
  )
})

test('a failure of our own is what it says, and anything else has some kind', () => {
  expect(toFailure(new ExchangeError('too_large', 'so large'), 'exchange')).toEqual({
    kind: 'too_large',
    message: 'so large',
  })
  expect(toFailure(new TypeError('oops'), 'exchange')).toEqual({ kind: 'other:TypeError', message: 'oops' })
  expect(toFailure('text', 'exchange')).toEqual({ kind: 'other:unknown', message: 'text' })
})

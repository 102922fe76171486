import type { ServerPlace } from './place.ts'

/** What a driver is told about TLS: `require` encrypts, as PostgreSQL's own clients do; `verify-…` also verifies. */
export function tlsOf({ tls }: ServerPlace): false | { readonly rejectUnauthorized: boolean } {
  return tls !== 'off' && { rejectUnauthorized: tls === 'verified' }
}

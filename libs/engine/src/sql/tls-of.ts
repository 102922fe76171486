import { isIP } from 'node:net'
import type { ServerPlace } from './place.ts'

/** What a driver is told about TLS: `require` encrypts, as PostgreSQL's own clients do; `verify-…` also verifies. */
export function tlsOf({ tls, host }: ServerPlace): false | object {
  if (tls === 'off') return false
  const name = isIP(host) === 0 ? { servername: host } : {}
  return { rejectUnauthorized: tls === 'verified', ...name }
}

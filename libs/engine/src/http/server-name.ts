import { isIP } from 'node:net'
import { bareHost } from './proxy.ts'

/** The name that a `host` header of the request's own asks for; an address names no certificate. */
export function serverName(headers: readonly string[]): string | undefined {
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue
    const host = bareHost(headers[i + 1]?.replace(/:\d*$/, '') ?? '')
    return host === '' || isIP(host) !== 0 ? undefined : host
  }
  return undefined
}

import { OnrushError } from '@onrush/protocol/error'
import type { MiddlewareHandler } from 'hono'

/** The name of a Host header, without port and brackets. */
export function hostName(host: string): string | undefined {
  const found = /^(?:\[([0-9a-f:.]+)\]|([^:/?#@\s]+))(?::\d{1,5})?$/i.exec(host)
  return (found?.[1] ?? found?.[2])?.toLowerCase()
}

const isAddress = (name: string) => /^\d{1,3}(\.\d{1,3}){3}$/.test(name) || name.includes(':')

/**
 * Defeats DNS rebinding: a name that an attacker points at our address reaches our port, but says so in its Host header.
 * Addresses are what they are; names are `localhost` and those the operator named.
 */
export function hostCheck(names: readonly string[]): MiddlewareHandler {
  const known = new Set(['localhost', ...names.map(name => name.toLowerCase())])
  return async (c, next) => {
    const name = hostName(c.req.header('host') ?? '')
    if (name === undefined || !(isAddress(name) || known.has(name))) {
      throw new OnrushError(
        'forbidden',
        `this service does not answer to the name "${name ?? ''}": add it to ONRUSH_HOSTS`,
      )
    }
    await next()
  }
}

import { createHash, timingSafeEqual } from 'node:crypto'

/** A viewer reads, an operator acts, a node is another process of this fleet. Each may do what the one before may. */
export const roles = ['viewer', 'operator', 'node'] as const
export type Role = (typeof roles)[number]

export const mayActAs = (role: Role, wanted: Role): boolean => roles.indexOf(role) >= roles.indexOf(wanted)

/** A token as it is kept: never itself, only its digest. */
export interface KnownToken {
  /** Who holds it, for the audit log. */
  readonly name: string
  readonly role: Role
  readonly digest: Uint8Array
  /** Unix milliseconds. */
  readonly expires?: number | undefined
}

export interface TokenSettings {
  readonly operator?: string | undefined
  readonly viewer?: string | undefined
  /** The fleet's own secret. */
  readonly node?: string | undefined
  /** A worker that the network can reach wants a token even where no operator has one: the fleet's secret is enough. */
  readonly always?: boolean
  /** Named tokens from a file, as they are now. */
  readonly named?: () => readonly KnownToken[]
}

export interface TokenHolder {
  readonly name: string
  readonly role: Role
}

export interface Tokens {
  /** Whether anybody must show a token at all. */
  readonly required: boolean
  holderOf(token: string): TokenHolder | undefined
  /** Whether this holder's token is still there: a session ends with the token it was opened with. */
  stillHolds(holder: TokenHolder): boolean
}

export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Tokens are compared by their digests, all of them, in constant time: neither a length nor a first wrong letter can be
 * learned from how long the answer takes.
 */
export function tokensOf(settings: TokenSettings, now: () => number = Date.now): Tokens {
  const fixed: KnownToken[] = (['viewer', 'operator', 'node'] as const).flatMap(role => {
    const token = settings[role]
    return token === undefined || token === '' ? [] : [{ name: role, role, digest: digestOf(token) }]
  })
  const current = () => {
    const at = now()
    return [...fixed, ...(settings.named?.() ?? [])].filter(({ expires }) => expires === undefined || expires > at)
  }
  return {
    get required() {
      return settings.always === true || settings.named !== undefined || fixed.some(({ role }) => role === 'operator')
    },
    holderOf(token) {
      const shown = digestOf(token)
      let found: TokenHolder | undefined
      for (const { name, role, digest } of current()) if (timingSafeEqual(digest, shown)) found = { name, role }
      return found
    },
    stillHolds: ({ name, role }) => current().some(token => token.name === name && token.role === role),
  }
}

import { z } from 'zod'
import { Signer } from './signed.ts'
import type { TokenHolder, Tokens } from './tokens.ts'

export const cookieName = 'onrush_session'
const lifeMs = 12 * 3_600_000

const Fact = z.strictObject({ name: z.string(), role: z.enum(['viewer', 'operator']), until: z.number() })

/**
 * The dashboard's logins. A session is a signed cookie, so any reporter knows it; it ends with its time, and with the
 * token it was opened with. `SameSite=Lax`: a link to a report from a chat works, another site's form does not.
 */
export class Sessions {
  readonly #signer: Signer
  readonly #tokens: Tokens
  readonly #now: () => number

  constructor(key: string, tokens: Tokens, now: () => number) {
    this.#signer = new Signer(key, 'session')
    this.#tokens = tokens
    this.#now = now
  }

  /** The `set-cookie` of a login; nothing for a token that does not log in people. */
  open(token: string, secure: boolean): { holder: TokenHolder; cookie: string } | undefined {
    const holder = this.#tokens.holderOf(token)
    if (holder === undefined || holder.role === 'node') return undefined
    const value = this.#signer.sign({ ...holder, until: this.#now() + lifeMs })
    return { holder, cookie: this.#cookie(value, lifeMs / 1000, secure) }
  }

  close(secure: boolean): string {
    return this.#cookie('', 0, secure)
  }

  holderOf(value: string): TokenHolder | undefined {
    const fact = Fact.safeParse(this.#signer.read(value))
    if (!fact.success || fact.data.until <= this.#now()) return undefined
    const { name, role } = fact.data
    return this.#tokens.stillHolds({ name, role }) ? { name, role } : undefined
  }

  #cookie(value: string, seconds: number, secure: boolean): string {
    return `${cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  }
}

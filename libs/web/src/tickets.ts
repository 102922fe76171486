import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { Signer } from './signed.ts'
import type { TokenHolder, Tokens } from './tokens.ts'

/** From the asking to the connecting; a browser does both at once. */
export const ticketLifeMs = 30_000

const Fact = z.strictObject({
  id: z.string(),
  name: z.string(),
  role: z.enum(['viewer', 'operator', 'node']),
  until: z.number(),
})

/**
 * Admission to a websocket, which a browser opens without headers of ours. A ticket lives half a minute and opens one
 * connection at this node; a URL that a log or a proxy kept is worth nothing.
 */
export class Tickets {
  readonly #signer: Signer
  readonly #tokens: Tokens
  readonly #now: () => number
  readonly #used = new Map<string, number>()

  constructor(key: string, tokens: Tokens, now: () => number) {
    this.#signer = new Signer(key, 'ticket')
    this.#tokens = tokens
    this.#now = now
  }

  issue(holder: TokenHolder): { ticket: string; expiresAt: string } {
    const until = this.#now() + ticketLifeMs
    return {
      ticket: this.#signer.sign({ id: randomUUID(), ...holder, until }),
      expiresAt: new Date(until).toISOString(),
    }
  }

  take(ticket: string): TokenHolder | undefined {
    const now = this.#now()
    for (const [id, until] of this.#used) if (until <= now) this.#used.delete(id)
    const fact = Fact.safeParse(this.#signer.read(ticket))
    if (!fact.success || fact.data.until <= now || this.#used.has(fact.data.id)) return undefined
    const { id, name, role, until } = fact.data
    if (this.#tokens.required && !this.#tokens.stillHolds({ name, role })) return undefined
    this.#used.set(id, until)
    return { name, role }
  }
}

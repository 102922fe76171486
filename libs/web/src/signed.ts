import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs small facts so that a client can keep them and we can believe them when they come back. */
export class Signer {
  readonly #key: string
  readonly #purpose: string

  /** The purpose is part of the signature: a ticket is no session, though one key signs both. */
  constructor(key: string, purpose: string) {
    this.#key = key
    this.#purpose = purpose
  }

  sign(fact: unknown): string {
    const body = Buffer.from(JSON.stringify(fact)).toString('base64url')
    return `${body}.${this.#signature(body).toString('base64url')}`
  }

  /** The fact, or nothing where it was not signed by us. */
  read(signed: string): unknown {
    const [body, signature, ...rest] = signed.split('.')
    if (body === undefined || signature === undefined || rest.length > 0) return undefined
    const expected = this.#signature(body)
    const shown = Buffer.from(signature, 'base64url')
    if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) return undefined
    try {
      return JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))
    } catch {
      // Signed by us, so it is JSON; one that is not is nobody's.
      return undefined
    }
  }

  #signature(body: string): Buffer {
    return createHmac('sha256', this.#key).update(`${this.#purpose}\n${body}`).digest()
  }
}

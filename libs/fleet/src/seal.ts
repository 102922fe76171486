import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const mark = 'sealed:1:'
const ivBytes = 12
const tagBytes = 16

/**
 * Secrets on their way through queues. A job's data is shown on the queue dashboard, copied into events and kept for a
 * week, so what is marked secret lies in it encrypted, and only nodes of this fleet can read it. It does not guard
 * against those who can read all of Redis: the key is made of the fleet's own secret, which lies there too.
 */
export class Seal {
  readonly #key: Uint8Array

  constructor(fleetSecret: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', fleetSecret, '', 'onrush job secrets', 32))
  }

  text(plain: string): string {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv)
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return mark + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
  }

  /** The text as it was; what was never sealed, and what another fleet has sealed, is what it is. */
  openText(text: string): string {
    if (!text.startsWith(mark)) return text
    const bytes = Buffer.from(text.slice(mark.length), 'base64url')
    if (bytes.length < ivBytes + tagBytes) return text
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, ivBytes))
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
    try {
      return decipher.update(bytes.subarray(ivBytes + tagBytes)).toString('utf8') + decipher.final('utf8')
    } catch {
      // Its tag says that it is not ours.
      return text
    }
  }

  /** An environment with every `{ $secret }` in it sealed. */
  environment<T>(environment: Readonly<Record<string, T>>): Record<string, T> {
    return this.#each(environment, text => this.text(text))
  }

  openEnvironment<T>(environment: Readonly<Record<string, T>>): Record<string, T> {
    return this.#each(environment, text => this.openText(text))
  }

  #each<T>(environment: Readonly<Record<string, T>>, change: (text: string) => string): Record<string, T> {
    return Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        isSecret(value) ? { ...value, $secret: change(value.$secret) } : value,
      ]),
    )
  }
}

const isSecret = <T>(value: T): value is T & { readonly $secret: string } =>
  typeof value === 'object' && value !== null && '$secret' in value && typeof value.$secret === 'string'

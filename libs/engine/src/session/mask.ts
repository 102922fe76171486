import { formsOfSecret } from '@onrush/protocol/secrets'

const hidden = '***'
const credentials = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-auth-token',
])

/** Shorter ones would be taken out of the middle of words. */
const shortestCredential = 6

/** Takes secrets out of what people get to see. */
export class Mask {
  readonly #secrets: readonly string[]

  /** Short secrets are left: taking every "1" out of a text hides nothing and destroys it. */
  constructor(secrets: Iterable<string>) {
    const long = [...new Set(secrets)].filter(secret => secret.length >= 3)
    this.#secrets = [...new Set(long.flatMap(formsOfSecret))].sort((a, b) => b.length - a.length)
  }

  /**
   * Also without the credentials of a request: a target that repeats what it was told would put them into the sample of
   * a failure.
   */
  ofRequest(headers: unknown): Mask {
    const told = credentialsIn(headers)
    return told.length === 0 ? this : new Mask([...this.#secrets, ...told])
  }

  text(text: string): string {
    return this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden), text)
  }

  headers(headers: Readonly<Record<string, unknown>>): Record<string, string> {
    const shown: Record<string, string> = {}
    for (const [name, value] of Object.entries(headers)) {
      shown[name] = credentials.has(name.toLowerCase()) ? hidden : this.text(String(value))
    }
    return shown
  }

  values(values: Readonly<Record<string, unknown>>): Record<string, string> {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.body(value, 200) ?? '']))
  }

  /** A body as text, cut before it is shown; a binary one by its size. */
  body(body: unknown, length: number): string | undefined {
    if (body === undefined || body === null || body === '') return undefined
    if (body instanceof Uint8Array) return `(${body.length} bytes)`
    // Masked before it is cut, or a secret across the cut would show its first half.
    const text = this.text(typeof body === 'string' ? body : (JSON.stringify(body) ?? String(body)))
    return text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`
  }
}

/** The values of headers that carry credentials, whole and without their scheme or their name. */
function credentialsIn(headers: unknown): string[] {
  if (typeof headers !== 'object' || headers === null) return []
  return Object.entries(headers).flatMap(([name, value]) => {
    if (!credentials.has(name.toLowerCase()) || typeof value !== 'string') return []
    const parts = value.split(/[;,]\s*/).map(part => part.replace(/^(?:\w+\s+|[^=\s]+=)/, ''))
    return [value, ...parts].filter(text => text.length >= shortestCredential)
  })
}

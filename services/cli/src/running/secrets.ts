import type { Environment, Simulation } from '@onrush/protocol/simulation'

const hidden = '***'

/** Names whose values nobody wants to read in a report, whether or not the script says so. */
const telling = /secret|passw(or)?d|token|api_?key|credential|private_?key/i

/** Headers that carry credentials. */
const credentials = /^(proxy-)?authorization$|^cookie$|^x-api-key$|^x-auth-token$/i

export const isTellingName = (name: string) => telling.test(name)
export const isCredentialHeader = (name: string) => credentials.test(name)

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

function isSecret(value: unknown): value is { $secret: string } {
  return typeof value === 'object' && value !== null && '$secret' in value && typeof value.$secret === 'string'
}

/** The secret texts of environments. */
export function secretsOf(...environments: readonly (Environment | undefined)[]): string[] {
  return environments.flatMap(environment =>
    Object.values(environment ?? {}).flatMap(value => (isSecret(value) ? textsIn(value) : [])),
  )
}

export const secretsOfScript = ({ environments = {} }: Pick<Simulation, 'environments'>): string[] =>
  secretsOf(...Object.values(environments))

/** Takes secrets out of whatever is shown or kept. Very short ones would take half of every text with them. */
export class Veil {
  readonly #secrets: readonly string[]

  constructor(secrets: Iterable<string>) {
    this.#secrets = [...new Set(secrets)].filter(({ length }) => length >= 3).sort((a, b) => b.length - a.length)
  }

  text(text: string): string {
    return this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden), text)
  }

  /** An environment as texts. */
  environment(environment: Environment): Record<string, string> {
    return Object.fromEntries(
      Object.entries(environment).map(([name, value]) => {
        if (isSecret(value)) return [name, hidden]
        return [name, this.text(typeof value === 'string' ? value : JSON.stringify(value))]
      }),
    )
  }
}

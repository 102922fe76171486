const hidden = '…'

const secretNames = /authorization|cookie|token|secret|passw(or)?d|passphrase|credential|(api|access|private)[-_]?key/i
const userInfo = /(\/\/)[^/@\s'"`]*:[^/@\s'"`]*@/g
const schemes = /\b(Bearer|Basic)\s+(?![{$…])[A-Za-z0-9._~+/=-]+/gi

/** Whether a field of this name holds what a stranger must not read. */
export const isSecretName = (name: string): boolean => secretNames.test(name)

/** Text without what a stranger must not read: credentials in URLs, tokens behind their scheme. */
export const masked = (text: string): string => text.replace(userInfo, `$1${hidden}@`).replace(schemes, `$1 ${hidden}`)

/** A path into the context, or a template: where a value comes from, and not the value. */
const isReference = (text: string): boolean => /^\$[.[]|^\{\{[^}]*\}\}$/.test(text)

/**
 * A copy to look at: values marked secret, fields that are called like one, credentials in URLs and what is sealed are
 * hidden, each in a place where its shape stays what it was.
 */
export function withoutSecrets<T>(value: T): T {
  // Texts become other texts and nothing else changes, so it is what it was.
  return hide(value) as T
}

function hide(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('sealed:') ? hidden : masked(value)
  if (Array.isArray(value)) return value.map(hide)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const isHidden = name === '$secret' || (typeof each === 'string' && isSecretName(name) && !isReference(each))
      return [name, isHidden ? hidden : hide(each)]
    }),
  )
}

/** The texts in environments that are marked secret. */
export function secretTexts(...environments: readonly (Readonly<Record<string, unknown>> | undefined)[]): string[] {
  return environments.flatMap(environment =>
    Object.values(environment ?? {}).flatMap(value =>
      typeof value === 'object' && value !== null && '$secret' in value && typeof value.$secret === 'string'
        ? [value.$secret]
        : [],
    ),
  )
}

/** As a secret may stand in a URL, in a form and in JSON. */
export function formsOfSecret(secret: string): string[] {
  const wellFormed = secret.toWellFormed()
  const inForm = new URLSearchParams({ '': wellFormed }).toString().slice(1)
  return [...new Set([secret, encodeURIComponent(wellFormed), inForm, JSON.stringify(secret).slice(1, -1)])]
}

/**
 * `authorization: 'x'`, `"api_key": "x"`: a field that is called like a secret, and its literal. Names are bounded, because
 * a script may hold a megabyte of letters in one piece, and each of them could begin a name.
 */
const literal =
  /((?<quote>["'`]?)[\w$.-]{0,64}(?:authorization|cookie|token|secret|passw(?:or)?d|passphrase|credential|(?:api|access|private)[-_]?key)[\w$.-]{0,64}\k<quote>\s*[:=(]\s*)(?<mark>["'`])(?<text>(?:\\.|(?!\k<mark>)[^\\\n])*)\k<mark>/gi

/** `password: x` in YAML, on a line or in braces: a value that needs no quotes. */
const bare =
  /((?:^|[{,])[ \t]*(?:- +)?["']?[\w$.-]{0,64}(?:authorization|cookie|token|secret|passw(?:or)?d|passphrase|credential|(?:api|access|private)[-_]?key)[\w$.-]{0,64}["']?:[ \t]+)([^\s"'{[&*|>#,}][^,}\n\r]*)/gim

/** A script's source as it may be shown: without the secrets it marks, and without literals that look like some. */
export function maskedSource(source: string, secrets: readonly string[]): string {
  const long = secrets.filter(secret => secret.length >= 3).flatMap(formsOfSecret)
  const without = long
    .sort((a, b) => b.length - a.length)
    // Its line breaks stay: a fault's place must be the same in what is shown.
    .reduce((text, secret) => text.replaceAll(secret, secret.replaceAll(/[^\r\n]+/g, hidden)), source)
  return masked(
    without.replace(literal, (whole, head: string, _quote: string, mark: string, text: string) =>
      isReference(text) || text.includes('{{') ? whole : `${head}${mark}${hidden}${mark}`,
    ),
  )
}

/** The same for YAML, where most texts stand without quotes. */
export const maskedYaml = (source: string, secrets: readonly string[]): string =>
  maskedSource(source, secrets).replace(bare, (whole, head: string, text: string) =>
    isReference(text) || text.includes('{{') || text.startsWith(hidden) ? whole : `${head}${hidden}`,
  )

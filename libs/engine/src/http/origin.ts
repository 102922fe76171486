/** The scheme, host and port of a URL, and what follows from them. */
export interface Origin {
  /** `http://127.0.0.1:7090` */
  readonly text: string
  /** Without the port, for cookies. */
  readonly host: string
  readonly secure: boolean
  /** From `http://user:password@host`. */
  readonly authorization: string | undefined
}

export interface Address {
  readonly origin: Origin
  /** `/items/3?page=2` */
  readonly path: string
}

// The same few origins make up all of a run's URLs. Scripts that build host names must not fill the memory.
const known = new Map<string, Origin | undefined>()
const mostKnown = 1000

const parts = /^(https?:\/\/[^/?#\\]*)([^#]*)/i

/** `undefined` where it is no URL that a request can go to. */
export function parseAddress(url: string): Address | undefined {
  const found = parts.exec(url)
  if (found === null) return undefined
  const origin = parseOrigin(found[1] ?? '')
  return origin === undefined ? undefined : { origin, path: cleanPath(found[2] ?? '') }
}

function parseOrigin(text: string): Origin | undefined {
  if (known.has(text)) return known.get(text)
  if (known.size >= mostKnown) known.clear()
  const origin = readOrigin(text)
  known.set(text, origin)
  return origin
}

function readOrigin(text: string): Origin | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.hostname === '') return undefined
  const name = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return {
    text: url.origin,
    host: url.hostname,
    secure: url.protocol === 'https:',
    authorization: name === ':' ? undefined : basic(name),
  }
}

export const basic = (userAndPassword: string): string =>
  `Basic ${Buffer.from(userAndPassword, 'utf8').toString('base64')}`

/** What cannot stand in a request line, and what would end it or begin another. */
const unsafe = /[^\x21-\x7e]|["<>`{}]/gu
const needsCare = /[^\x21-\x7e]|["#<>`{}]/

/** A path and query as they go to the wire: a fragment is cut off, and what is not allowed is written as `%20`. */
export function cleanPath(path: string): string {
  const whole = path.startsWith('/') ? path : `/${path}`
  if (!needsCare.test(whole)) return whole
  const fragment = whole.indexOf('#')
  const kept = fragment === -1 ? whole : whole.slice(0, fragment)
  return kept.toWellFormed().replace(unsafe, char => encodeURIComponent(char))
}

/** What `location` or a link means, seen from an address. `undefined` where it leads nowhere that HTTP can go. */
export function resolveAddress(reference: string, from: Address): Address | undefined {
  const base = from.origin.text + from.path
  return URL.canParse(reference, base) ? parseAddress(new URL(reference, base).href) : undefined
}

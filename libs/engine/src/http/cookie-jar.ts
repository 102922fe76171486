import { isIP } from 'node:net'

interface Cookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly hostOnly: boolean
  readonly path: string
  readonly secure: boolean
  /** Milliseconds since 1970; `Infinity` for the session's life. */
  readonly expires: number
}

/** Where a request goes, as far as cookies care. */
export interface CookiePlace {
  /** Lower case, without the port: cookies do not tell ports apart. */
  readonly host: string
  /** Without the query. */
  readonly path: string
  readonly secure: boolean
}

/** As many as a browser keeps for a site. A server that sets names without end must not fill 10,000 sessions' memory. */
const most = 180

/**
 * A session's cookies, after RFC 6265. It knows no list of public suffixes: of the domains that a server may not claim
 * it refuses those without a dot. Cookies lie in the order in which they were first set.
 */
export class CookieJar {
  #cookies: Cookie[] = []

  get size(): number {
    return this.#cookies.length
  }

  /** `header` is one `set-cookie` line. One that is not for this place, or makes no sense, is ignored, as browsers do. */
  store(header: string, place: CookiePlace, now: number): void {
    const cookie = parse(header, place, now)
    if (cookie === undefined) return
    const at = this.#cookies.findIndex(
      each => each.name === cookie.name && each.domain === cookie.domain && each.path === cookie.path,
    )
    if (cookie.expires <= now) {
      if (at !== -1) this.#cookies.splice(at, 1)
    } else if (at !== -1) this.#cookies[at] = cookie
    else {
      if (this.#cookies.length >= most) this.#cookies.shift()
      this.#cookies.push(cookie)
    }
  }

  /** The `cookie` header for a request, `''` when none applies. */
  headerFor(place: CookiePlace, now: number): string {
    let header = ''
    let longest = Number.POSITIVE_INFINITY
    let sorted = true
    for (const cookie of this.#cookies) {
      if (!applies(cookie, place, now)) continue
      if (cookie.path.length > longest) sorted = false
      longest = cookie.path.length
      header += `${header === '' ? '' : '; '}${cookie.name}=${cookie.value}`
    }
    if (sorted) return header
    // Longer paths come first, so that a server which takes the first of two equal names takes the more specific one.
    return this.#cookies
      .filter(cookie => applies(cookie, place, now))
      .sort((a, b) => b.path.length - a.path.length)
      .map(cookie => `${cookie.name}=${cookie.value}`)
      .join('; ')
  }
}

function applies(cookie: Cookie, place: CookiePlace, now: number): boolean {
  return (
    cookie.expires > now &&
    (place.secure || !cookie.secure) &&
    (cookie.hostOnly ? place.host === cookie.domain : domainMatches(place.host, cookie.domain)) &&
    pathMatches(place.path, cookie.path)
  )
}

function parse(header: string, place: CookiePlace, now: number): Cookie | undefined {
  const [pair = '', ...attributes] = header.split(';')
  const equals = pair.indexOf('=')
  const name = pair.slice(0, Math.max(equals, 0)).trim()
  const value = pair.slice(equals + 1).trim()
  // What holds a control character could smuggle a header into the next request.
  if (name === '' || hasControl(name) || hasControl(value)) return undefined
  let [domain, path, secure] = ['', '', false]
  let [expires, maxAge]: [number | undefined, number | undefined] = [undefined, undefined]
  for (const attribute of attributes) {
    const at = attribute.indexOf('=')
    const key = (at === -1 ? attribute : attribute.slice(0, at)).trim().toLowerCase()
    const given = at === -1 ? '' : attribute.slice(at + 1).trim()
    if (key === 'domain') domain = given.replace(/^\./, '').toLowerCase()
    else if (key === 'path') path = given
    else if (key === 'secure') secure = true
    else if (key === 'max-age' && /^-?\d+$/.test(given)) maxAge = Number(given)
    else if (key === 'expires' && !Number.isNaN(Date.parse(given))) expires = Date.parse(given)
  }
  if (domain !== '' && !mayClaim(place.host, domain)) return undefined
  if (secure && !place.secure) return undefined
  if (/^__secure-/i.test(name) && !secure) return undefined
  if (/^__host-/i.test(name) && !(secure && domain === '' && path === '/')) return undefined
  return {
    name,
    value,
    domain: domain === '' ? place.host : domain,
    hostOnly: domain === '',
    path: path.startsWith('/') ? path : defaultPath(place.path),
    secure,
    expires: maxAge === undefined ? (expires ?? Number.POSITIVE_INFINITY) : now + maxAge * 1000,
  }
}

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}

const mayClaim = (host: string, domain: string): boolean =>
  host === domain || (domain.includes('.') && domainMatches(host, domain))

const domainMatches = (host: string, domain: string): boolean =>
  host === domain || (host.endsWith(`.${domain}`) && isIP(host) === 0)

function pathMatches(path: string, cookiePath: string): boolean {
  if (!path.startsWith(cookiePath)) return false
  return path.length === cookiePath.length || cookiePath.endsWith('/') || path[cookiePath.length] === '/'
}

function defaultPath(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash <= 0 ? '/' : path.slice(0, slash)
}

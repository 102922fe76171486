import { ExchangeError } from './failure.ts'

/** What a request line may not hold: a blank or a line break would end it and begin something else. */
const unsafeTarget = /[^\x21-\x7e]/
/** What no value may hold, for the same reason; beyond latin1 nothing can be sent. */
const unsafeValue = /[^\t\x20-\x7e\x80-\xff]/
const token = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/

/** Methods whose meaning is a body, so that having none is said too. */
const wantsBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

export interface RequestHead {
  readonly text: string
  /** The request's own `connection: close`. */
  readonly isLast: boolean
}

/**
 * A request's head as latin1. `length` is its body's in bytes, `undefined` where there is none. Throws `render` for
 * what would not stay within its line: the last look before the wire, whoever made the request.
 */
export function requestHead(
  method: string,
  target: string,
  host: string,
  headers: readonly string[],
  length: number | undefined,
): RequestHead {
  if (!token.test(method)) throw refused('the method')
  if (unsafeTarget.test(target)) throw refused('the path')
  let fields = ''
  let hasHost = false
  let hasConnection = false
  let isLast = false
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? ''
    const value = headers[i + 1] ?? ''
    if (unsafeValue.test(value) || !token.test(name)) throw refused(`the header ${JSON.stringify(name.slice(0, 100))}`)
    if (name.length === 4 && name.toLowerCase() === 'host') hasHost = true
    else if (name.length === 10 && name.toLowerCase() === 'connection') {
      hasConnection = true
      isLast ||= /\bclose\b/i.test(value)
    }
    fields += `${name}: ${value}\r\n`
  }
  if (length !== undefined) fields += `content-length: ${length}\r\n`
  else if (wantsBody.has(method)) fields += 'content-length: 0\r\n'
  const hostLine = hasHost ? '' : `host: ${host}\r\n`
  const connection = hasConnection ? '' : 'connection: keep-alive\r\n'
  return { text: `${method} ${target} HTTP/1.1\r\n${hostLine}${connection}${fields}\r\n`, isLast }
}

const refused = (what: string): ExchangeError =>
  new ExchangeError('render', `${what} holds a blank, a line break or a character that cannot be sent; encode it`)

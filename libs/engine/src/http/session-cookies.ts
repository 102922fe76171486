import { answerHeader } from './answer-header.ts'
import { CookieJar, type CookiePlace } from './cookie-jar.ts'
import type { HttpSession } from './http-exchange.ts'
import { parseAddress } from './origin.ts'
import type { Answer, WireRequest } from './transport.ts'

function placeOf({ origin, path }: WireRequest): CookiePlace | undefined {
  const address = parseAddress(origin)
  if (address === undefined) return undefined
  const query = path.indexOf('?')
  return { host: address.origin.host, path: query === -1 ? path : path.slice(0, query), secure: address.origin.secure }
}

/** The request with the session's cookies. A `cookie` header that the script gives stays, and theirs follow it. */
export function withCookies(request: WireRequest, jar: CookieJar | undefined): WireRequest {
  if (jar === undefined || jar.size === 0) return request
  const place = placeOf(request)
  const cookies = place === undefined ? '' : jar.headerFor(place, Date.now())
  if (cookies === '') return request
  const { headers } = request
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i]?.toLowerCase() !== 'cookie') continue
    return { ...request, headers: headers.with(i + 1, `${headers[i + 1]}; ${cookies}`) }
  }
  return { ...request, headers: [...headers, 'cookie', cookies] }
}

export function keepCookies(request: WireRequest, answer: Answer, session: HttpSession): void {
  const lines = answerHeader(answer, 'set-cookie')
  if (lines === undefined) return
  const place = placeOf(request)
  if (place === undefined) return
  session.cookies ??= new CookieJar()
  for (const line of lines.split('\n')) session.cookies.store(line, place, Date.now())
}

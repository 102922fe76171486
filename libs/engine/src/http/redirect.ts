import { answerHeader } from './answer-header.ts'
import { parseAddress, resolveAddress } from './origin.ts'
import type { Answer, Failure, WireRequest } from './transport.ts'

const leadsOn = new Set([301, 302, 303, 307, 308])

/** Where an answer sends us; `undefined` when it is the final one. */
export function redirectOf(answer: Answer): string | undefined {
  if (answer.failure !== undefined || !leadsOn.has(answer.status)) return undefined
  return answerHeader(answer, 'location')
}

const ofBody = new Set(['content-type', 'content-encoding', 'content-language', 'content-location'])
/** Meant for the first origin only: another one must not get its credentials. */
const ofOrigin = new Set(['authorization', 'cookie', 'proxy-authorization', 'host'])

/** The request that follows, as browsers make it: a 303 becomes a GET, and a POST also after 301 and 302. */
export function followRedirect(request: WireRequest, status: number, location: string): WireRequest | Failure {
  const from = parseAddress(request.origin + request.path)
  const to = from === undefined ? undefined : resolveAddress(location, from)
  if (to === undefined) {
    const message = `a redirect to ${JSON.stringify(location.slice(0, 200))}, which is no http or https URL`
    return { kind: 'malformed_response', message }
  }
  const { method } = request
  const becomesGet =
    (status === 303 && method !== 'GET' && method !== 'HEAD') ||
    ((status === 301 || status === 302) && method === 'POST')
  const leaves = to.origin.text !== request.origin
  const dropped = (name: string): boolean => (becomesGet && ofBody.has(name)) || (leaves && ofOrigin.has(name))
  const headers: string[] = []
  for (let i = 0; i < request.headers.length; i += 2) {
    const [name = '', value = ''] = request.headers.slice(i, i + 2)
    if (!dropped(name.toLowerCase())) headers.push(name, value)
  }
  return {
    ...request,
    origin: to.origin.text,
    path: to.path,
    headers,
    ...(becomesGet ? { method: 'GET', body: undefined } : {}),
  }
}

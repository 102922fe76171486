import { codeNames } from '@onrush/protocol/codes'
import { fromProblem, OnrushError } from '@onrush/protocol/error'
import type { Problem } from '@onrush/protocol/problem'
import { locked } from './access.ts'
import { answered, noAnswer } from './reachable.ts'

/** The reporter did not answer at all. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** Relative to the page, so that it works behind a base path. */
export const apiUrl = (path: string): URL => new URL(path, document.baseURI)

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' &&
  value !== null &&
  'detail' in value &&
  'code' in value &&
  codeNames.some(name => name === value.code)

async function errorOf(response: Response): Promise<Error> {
  const text = await response.text()
  try {
    const body: unknown = JSON.parse(text)
    if (isProblem(body)) return fromProblem(body)
  } catch {
    // Not the reporter's own words, but a proxy's: the status tells more than its page.
  }
  const code = response.status === 401 ? 'unauthorized' : response.status === 404 ? 'not_found' : 'internal'
  return new OnrushError(code, `the reporter answered ${response.status} ${response.statusText}`.trim())
}

async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(apiUrl(path), { ...init, signal: init.signal ?? AbortSignal.timeout(30_000) })
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause
    noAnswer()
    throw new Unreachable('the reporter does not answer', { cause })
  }
  // A proxy in front answers these when the reporter behind it is gone.
  if (response.status === 502 || response.status === 504) {
    noAnswer()
    throw new Unreachable(`the reporter does not answer (${response.status} from a proxy)`)
  }
  answered()
  if (response.ok) return response
  if (response.status === 401) locked.set(true)
  throw await errorOf(response)
}

/** What the reporter answers is typed by the protocol, whose schemas it is checked against on the reporter's side. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await send(path, {
    headers: { accept: 'application/json' },
    ...(signal === undefined ? {} : { signal }),
  })
  return response.json()
}

export async function post<T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> {
  const response = await send(path, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return response.json()
}

export async function put<T>(path: string, body: Blob): Promise<T> {
  // A large file takes as long as its line needs.
  const { signal } = new AbortController()
  return (await send(path, { method: 'PUT', body, headers: { accept: 'application/json' }, signal })).json()
}

export async function remove(path: string): Promise<void> {
  await send(path, { method: 'DELETE', headers: { accept: 'application/json' } })
}

/** Asks whether the reporter is there; the bar above the page says so where it is not. */
export function probe(): void {
  send('healthz', {}).catch(() => {
    // Said by the bar already.
  })
}

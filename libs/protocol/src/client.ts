import type { z } from 'zod'
import { fromProblem, OnrushError } from './error.ts'
import type { Answer, Endpoint } from './openapi/endpoint.ts'
import type { reporterEndpoints } from './openapi/reporter-endpoints.ts'
import type { workerEndpoints } from './openapi/worker-endpoints.ts'
import { Problem } from './problem.ts'

export type ReporterApi = typeof reporterEndpoints
export type WorkerApi = typeof workerEndpoints

type Values<T> = T[keyof T]
type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** What a call takes: parameters of its path, a query, a body, each only where the endpoint has it. */
export type Input<E> = {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
} & (E extends { readonly params: infer P } ? { readonly params: { readonly [K in keyof P]: string } } : unknown) &
  (E extends { readonly query: z.ZodObject } ? { readonly query?: Query } : unknown) &
  (E extends { readonly body: z.ZodType<unknown, infer I> } ? { readonly body: I } : unknown)

type OfAnswer<A> = A extends { readonly json: z.ZodType<infer O> } ? O : never
/** What it answers as JSON; `undefined` where it answers with nothing. */
export type Output<E> = E extends { readonly answers: infer A }
  ? [OfAnswer<Values<A>>] extends [never]
    ? undefined
    : OfAnswer<Values<A>>
  : never

/** Only what must be given makes the second argument necessary. */
type Arguments<E> = Record<never, never> extends Input<E> ? [input?: Input<E>] : [input: Input<E>]

export interface Client<Api> {
  call<N extends keyof Api & string>(name: N, ...args: Arguments<Api[N]>): Promise<Output<Api[N]>>
}

export interface ClientOptions {
  /** `http://reporter:7070` */
  readonly url: string
  readonly token?: string | undefined
  /** In place of the global one. */
  readonly fetch?: typeof fetch
}

interface Given {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Query
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/**
 * A client typed by the endpoints' own schemas: `client.call('POST /api/single', { body })`. What it gets is checked, so
 * that a service of another version is noticed here and not three functions later. A failure is an `OnrushError` with the
 * service's own code, detail and errors.
 */
export function createClient<Api extends Readonly<Record<string, Endpoint>>>(
  endpoints: Api,
  options: ClientOptions,
): Client<Api> {
  return {
    async call(name, ...[input]) {
      const endpoint = endpoints[name]
      if (endpoint === undefined) throw new OnrushError('not_found', `there is no call ${name}`)
      const given: Given = input ?? {}
      const response = await send(name, given, options)
      // Its shape was checked against the schema that the type is made of.
      return (await read(name, endpoint, response)) as never
    },
  }
}

function pathOf(name: string, { params = {}, query = {} }: Given): string {
  const [, path = ''] = name.split(' ')
  const filled = path
    .replaceAll(/:(\w+)/g, (_, field: string) => encodeURIComponent(params[field] ?? ''))
    // A path of its own: its slashes stay.
    .replace(/\*$/, () => (params.path ?? '').split('/').map(encodeURIComponent).join('/'))
  const search = new URLSearchParams()
  for (const [field, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) search.append(field, String(each))
  }
  return search.size === 0 ? filled : `${filled}?${search}`
}

async function send(name: string, given: Given, { url, token, fetch: ask = fetch }: ClientOptions): Promise<Response> {
  const { body, headers, signal } = given
  try {
    return await ask(`${url.replace(/\/$/, '')}${pathOf(name, given)}`, {
      method: name.split(' ')[0] ?? 'GET',
      redirect: 'error',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (cause) {
    if (signal?.aborted === true) throw cause
    throw new OnrushError('unavailable', `${url} does not answer`, { cause })
  }
}

async function read(name: string, endpoint: Endpoint, response: Response): Promise<unknown> {
  const { status } = response
  const text = await response.text()
  const answer: Answer | undefined = endpoint.answers[status]
  if (answer !== undefined && !('json' in answer)) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new OnrushError('unavailable', `${name} answered ${status} without JSON; is this an Onrush service?`, {
      cause,
    })
  }
  if (!response.ok || answer === undefined) {
    const problem = Problem.safeParse(value)
    throw problem.success ? fromProblem(problem.data) : new OnrushError('unavailable', `${name} answered ${status}`)
  }
  const checked = answer.json.safeParse(value)
  if (checked.success) return checked.data
  throw new OnrushError(
    'version_mismatch',
    `${name} answers in another shape than this client knows (${checked.error.issues[0]?.path.join('.')}): run the same version on both sides`,
  )
}

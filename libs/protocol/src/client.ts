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
  /** The same for a file: its text, as it came. */
  text<N extends keyof Api & string>(name: N, ...args: Arguments<Api[N]>): Promise<string>
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
  const ask = async (name: string, given: Given): Promise<Asked> => {
    const endpoint = endpoints[name]
    if (endpoint === undefined) throw new OnrushError('not_found', `there is no call ${name}`)
    return { name, endpoint, ...(await send(name, given, options)) }
  }
  return {
    // Its shape was checked against the schema that the type is made of.
    call: async (name, ...[input]) => read(await ask(name, input ?? {})) as never,
    async text(name, ...[input]) {
      const asked = await ask(name, input ?? {})
      return asked.ok ? asked.text : refuse(asked)
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

interface Answered {
  readonly status: number
  readonly ok: boolean
  readonly text: string
}

interface Asked extends Answered {
  readonly name: string
  readonly endpoint: Endpoint
}

async function send(name: string, given: Given, { url, token, fetch: ask = fetch }: ClientOptions): Promise<Answered> {
  const { body, headers, signal } = given
  try {
    const response = await ask(`${url.replace(/\/$/, '')}${pathOf(name, given)}`, {
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
    return { status: response.status, ok: response.ok, text: await response.text() }
  } catch (cause) {
    if (signal?.aborted === true) throw cause
    throw new OnrushError('unavailable', `${url} cannot be reached: is the service running there?`, { cause })
  }
}

function read({ name, endpoint, status, ok, text }: Asked): unknown {
  const answer: Answer | undefined = endpoint.answers[status]
  if (answer !== undefined && !('json' in answer)) return undefined
  const value = jsonOf(name, status, text)
  if (!ok || answer === undefined) throw problemOf(name, status, value)
  const checked = answer.json.safeParse(value)
  if (checked.success) return checked.data
  throw new OnrushError(
    'version_mismatch',
    `${name} answers in another shape than this client knows (${checked.error.issues[0]?.path.join('.')}): run the same version on both sides`,
  )
}

const refuse = ({ name, status, text }: Asked): never => {
  throw problemOf(name, status, jsonOf(name, status, text))
}

function jsonOf(name: string, status: number, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new OnrushError('unavailable', `${name} answered ${status} without JSON; is this an Onrush service?`, {
      cause,
    })
  }
}

function problemOf(name: string, status: number, value: unknown): OnrushError {
  const problem = Problem.safeParse(value)
  return problem.success ? fromProblem(problem.data) : new OnrushError('unavailable', `${name} answered ${status}`)
}

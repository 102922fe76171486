import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { ApiSchemas } from './api-schema.ts'
import { fromSchema, hostileTexts, spoilt } from './schema-arbitrary.ts'

type Schema = { readonly [key: string]: unknown }
export interface ApiDocument extends Schema {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>
  readonly components: { readonly schemas: Schema }
}

export interface Hostile {
  readonly method: string
  readonly path: string
  readonly url: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array | undefined
}

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (here, key) => (typeof here === 'object' && here !== null ? Reflect.get(here, key) : undefined),
    value,
  )
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value) ?? 'null')

/** What a header may hold at all; the rest is refused by the client before it is sent. */
const headerText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 300)

const oddHeaders: readonly (readonly [string, string])[] = [
  ['accept', 'text/html'],
  ['accept', '*/*;q=banana'],
  ['accept-encoding', 'gzip'],
  ['range', 'bytes=5-2'],
  ['range', 'bytes=-1'],
  ['range', 'bytes=0-0,2-3'],
  ['range', 'lines=1'],
  ['cookie', 'onrush_session=eyJ9.x; a=b'],
  ['x-forwarded-for', '1.2.3.4'],
  ['x-onrush-only-here', '1'],
  ['content-encoding', 'gzip'],
  ['if-none-match', '*'],
]

/** Requests made from a document: as described, spoilt in one place, or not even what they say they are. */
export function hostileRequests(document: ApiDocument): fc.Arbitrary<Hostile> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      'x-onrush-messages' in operation ? [] : [{ path, method, operation }],
    ),
  )
  return fc.constantFrom(...operations).chain(({ path, method, operation }) => {
    const { schemas } = document.components
    const parameters = listOf(at(operation, 'parameters'))
    const named = (where: string) => parameters.filter(each => at(each, 'in') === where)
    const value = (parameter: unknown): fc.Arbitrary<string> =>
      fc.oneof(
        fromSchema(at(parameter, 'schema'), schemas).map(each =>
          typeof each === 'string' ? each : JSON.stringify(each),
        ),
        fc.constantFrom(...hostileTexts),
      )
    const record = (where: string) =>
      fc.record(Object.fromEntries(named(where).map(each => [String(at(each, 'name')), value(each)])), {
        requiredKeys: [],
      })
    const schema = at(operation, 'requestBody', 'content', 'application/json', 'schema')
    const described = schema === undefined ? fc.constant(undefined) : fromSchema(schema, schemas)
    const body: fc.Arbitrary<Uint8Array | undefined> =
      method === 'get'
        ? fc.constant(undefined)
        : fc.oneof(
            { weight: 4, arbitrary: described.map(each => (each === undefined ? undefined : bytes(each))) },
            { weight: 4, arbitrary: described.chain(spoilt).map(bytes) },
            { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
            { weight: 1, arbitrary: described.map(each => bytes(each).subarray(0, -2)) },
            { weight: 1, arbitrary: described.map(each => gzipSync(bytes(each))) },
          )
    return fc
      .record({
        path: record('path'),
        query: record('query'),
        extra: fc.option(fc.tuple(fc.constantFrom(...hostileTexts), fc.constantFrom(...hostileTexts)), {
          freq: 5,
          nil: undefined,
        }),
        header: record('header'),
        odd: fc.option(fc.constantFrom(...oddHeaders), { freq: 3, nil: undefined }),
        type: fc.oneof(
          { weight: 8, arbitrary: fc.constant('application/json') },
          {
            weight: 1,
            arbitrary: fc.constantFrom('text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'x'),
          },
        ),
        body,
      })
      .map(({ path: params, query, extra, header, odd, type, body }) => {
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent((params[name] ?? 'x').toWellFormed()),
        )
        const search = new URLSearchParams(
          Object.entries(query).flatMap(([name, text]): [string, string][] =>
            text === undefined ? [] : [[name, text]],
          ),
        )
        if (extra !== undefined) search.append(...extra)
        return {
          method,
          path,
          url: `${filled}${search.size === 0 ? '' : `?${search}`}`,
          headers: [
            ...Object.entries(header).map(([name, text]) => [name, headerText(text ?? '')] as const),
            ...(odd === undefined ? [] : [odd]),
            ...(body === undefined ? [] : ([['content-type', type]] as const)),
          ],
          body,
        }
      })
  })
}

export interface FuzzOutcome {
  readonly statuses: Record<string, number>
  readonly problems: string[]
}

/** Sends so many requests, eight at a time, and tells what was not as it should be. */
export async function fuzz(
  url: string,
  document: ApiDocument,
  { requests, seed, headers = {} }: { requests: number; seed: number; headers?: Record<string, string> },
): Promise<FuzzOutcome> {
  const schemas = new ApiSchemas(document)
  const cases = fc.sample(hostileRequests(document), { numRuns: requests, seed })
  const statuses: Record<string, number> = {}
  const problems: string[] = []
  let next = 0
  const send = async (): Promise<void> => {
    for (let i = next++; i < cases.length && problems.length < 20; i = next++) {
      const hostile = cases[i]
      if (hostile === undefined) return
      const problem = await tried(url, hostile, headers, schemas, statuses)
      if (problem !== undefined) problems.push(`request ${i} of seed ${seed}: ${problem}: ${shown(hostile)}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, send))
  return { statuses, problems }
}

const shown = ({ method, url, headers, body }: Hostile): string =>
  `${method.toUpperCase()} ${url.slice(0, 300)} ${JSON.stringify(headers)} ${Buffer.from(body ?? [])
    .toString()
    .slice(0, 600)}`

async function tried(
  url: string,
  { method, path, url: local, headers, body }: Hostile,
  own: Record<string, string>,
  schemas: ApiSchemas,
  statuses: Record<string, number>,
): Promise<string | undefined> {
  try {
    const response = await fetch(url + local, {
      method: method.toUpperCase(),
      headers: [...Object.entries(own), ...headers.map(([name, value]): [string, string] => [name, value])],
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    })
    const text = await response.text()
    const { status } = response
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status >= 500) return `answered ${status}: ${text.slice(0, 300)}`
    // A path whose parameter is empty or a dot is another path.
    if (status === 404 && text.includes('there is nothing at')) return undefined
    return schemas.fault(method, path, status, response.headers.get('content-type') ?? '', text)
  } catch (error) {
    return `no answer: ${error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : String(error)}`
  }
}

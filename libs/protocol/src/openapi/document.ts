import type { z } from 'zod'
import { type Code, codes } from '../codes.ts'
import { Problem } from '../problem.ts'
import type { Answer, Endpoint, Endpoints } from './endpoint.ts'
import { type JsonSchema, JsonSchemas } from './json-schemas.ts'

export interface DocumentAbout {
  readonly title: string
  readonly version: string
  readonly description: string
}

type Map = { readonly [key: string]: unknown }

const problemType = 'application/problem+json'

/** The OpenAPI 3.1 document of a service, made of the schemas that validate its requests and type its answers. */
export function openApiDocument(about: DocumentAbout, endpoints: Endpoints): Map {
  const all = Object.entries<Endpoint>(endpoints)
  const schemas = new JsonSchemas([Problem, ...all.flatMap(([, endpoint]) => schemasOf(endpoint))])
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, endpoint] of all) {
    const { method, path } = partsOf(name)
    paths[path] = { ...paths[path], [method]: operationOf(name, endpoint, schemas) }
  }
  const statuses = [...new Set(Object.values(codes))]
  const responses = Object.fromEntries(statuses.map(status => [`Problem${status}`, problemOf(status, schemas)]))
  return {
    openapi: '3.1.0',
    info: { ...about, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    paths,
    components: {
      schemas: schemas.components([paths, responses]),
      responses,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'one of the tokens the service was started with' },
        login: { type: 'apiKey', in: 'cookie', name: 'onrush_session', description: 'POST /api/login' },
        ticket: { type: 'apiKey', in: 'query', name: 'ticket', description: 'POST /api/ticket; for one websocket' },
      },
    },
  }
}

/** `GET /api/job/:runId` as a document writes it; a `*` is one parameter that may hold slashes. */
export function partsOf(name: string): { method: string; path: string } {
  const [method = '', route = ''] = name.split(' ')
  return { method: method.toLowerCase(), path: route.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}') }
}

function schemasOf({ params = {}, query, headers = {}, body, answers, says, files = {} }: Endpoint): z.ZodType[] {
  return [
    ...Object.values(params),
    ...Object.values<z.ZodType>(query?.shape ?? {}),
    ...Object.values(headers).map(({ schema }) => schema),
    ...(body === undefined ? [] : [body]),
    ...Object.values(answers).flatMap(answer => ('json' in answer ? [answer.json] : [])),
    ...(says === undefined ? [] : [says]),
    ...Object.values(files),
  ]
}

function operationOf(name: string, endpoint: Endpoint, schemas: JsonSchemas): Map {
  const {
    summary,
    role,
    group,
    params = {},
    query,
    headers = {},
    body,
    bodyType,
    answers,
    says,
    files = {},
    examples = {},
  } = endpoint
  const { method } = partsOf(name)
  const parameter = (where: string, field: string, schema: z.ZodType, description?: string) => ({
    name: field,
    in: where,
    required: where === 'path' || !schema.safeParse(undefined).success,
    ...(description === undefined ? {} : { description }),
    schema: schemas.of(schema, 'input'),
  })
  const parameters = [
    ...Object.entries(params).map(([field, schema]) => parameter('path', field, schema)),
    ...Object.entries<z.ZodType>(query?.shape ?? {}).map(([field, schema]) => parameter('query', field, schema)),
    ...Object.entries(headers).map(([field, { schema, what }]) => parameter('header', field, schema, what)),
  ]
  const content = bodyOf(endpoint, schemas)
  return {
    operationId: operationId(name),
    summary,
    tags: [group],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(content === undefined ? {} : { requestBody: { required: true, content } }),
    responses: {
      ...Object.fromEntries(
        Object.entries<Answer>(answers).map(([status, answer]) => [status, answerOf(answer, schemas)]),
      ),
      ...failuresOf(endpoint, parameters.length > 0, body !== undefined || bodyType !== undefined),
    },
    security: securityOf(role, method, says !== undefined, acts(name, role)),
    'x-onrush-role': role,
    ...(Object.keys(files).length === 0
      ? {}
      : {
          'x-onrush-files': Object.fromEntries(
            Object.entries(files).map(([file, schema]) => [file, schemas.of(schema, 'output')]),
          ),
        }),
    ...(says === undefined ? {} : { 'x-onrush-messages': schemas.of(says, 'output') }),
    ...(Object.keys(examples).length === 0 ? {} : { 'x-onrush-examples': examples }),
  }
}

function bodyOf({ body, bodyType, examples = {} }: Endpoint, schemas: JsonSchemas): Map | undefined {
  if (bodyType !== undefined) return { [bodyType]: {} }
  if (body === undefined) return undefined
  const shown = Object.entries(examples).flatMap(([title, example]) =>
    example.body === undefined ? [] : [[title, { summary: `answers ${example.status}`, value: example.body }]],
  )
  return {
    'application/json': {
      schema: schemas.of(body, 'input'),
      ...(shown.length === 0 ? {} : { examples: Object.fromEntries(shown) }),
    },
  }
}

function answerOf(answer: Answer, schemas: JsonSchemas): Map {
  const description = answer.what
  if ('json' in answer) {
    const also = answer.also === undefined ? {} : { [answer.also]: {} }
    return { description, content: { 'application/json': { schema: schemas.of(answer.json, 'output') }, ...also } }
  }
  return 'type' in answer ? { description, content: { [answer.type]: {} } } : { description }
}

function failuresOf({ role, fails = [], answers }: Endpoint, hasParameters: boolean, hasBody: boolean): Map {
  const all: Code[] = [
    'forbidden',
    'unavailable',
    'internal',
    ...(role === 'anyone' ? [] : (['unauthorized'] as const)),
    ...(hasParameters || hasBody ? (['malformed', 'invalid', 'not_found'] as const) : []),
    ...(hasBody ? (['too_large'] as const) : []),
    ...fails,
  ]
  const statuses = [...new Set(all.map(code => codes[code]))]
    .filter(status => !(status in answers))
    .sort((a, b) => a - b)
  return Object.fromEntries(statuses.map(status => [status, { $ref: `#/components/responses/Problem${status}` }]))
}

function problemOf(status: number, schemas: JsonSchemas): Map {
  const named = Object.entries(codes).flatMap(([code, each]) => (each === status ? [code] : []))
  return {
    description: named.join(', '),
    content: { [problemType]: { schema: schemas.of(Problem, 'output') } },
  }
}

/** A login never acts by GET, because a link is a GET. */
function securityOf(role: Endpoint['role'], method: string, isSocket: boolean, isAct: boolean): Map[] {
  if (role === 'anyone') return []
  const token = { token: [] }
  if (role === 'node' || (isAct && method === 'get')) return [token]
  return [token, { login: [] }, ...(isSocket ? [{ ticket: [] }] : [])]
}

const acting = ['GET /api/single', 'GET /api/engine/stop']
const acts = (name: string, role: Endpoint['role']): boolean =>
  role === 'operator' && (acting.includes(name) || !name.startsWith('GET '))

/** `GET /api/job/:runId` is `getJobByRunId`. */
function operationId(name: string): string {
  const { method, path } = partsOf(name)
  const words = path
    .replace(/^\/api\//, '/')
    // The form beside `POST /api/login`.
    .replace(/^\/login$/, path === '/login' ? '/login-page' : '/login')
    .split('/')
    .filter(Boolean)
    .map(part =>
      part.startsWith('{')
        ? `By${upper(part.slice(1, -1))}`
        : part
            .split(/[^A-Za-z0-9]+/)
            .map(upper)
            .join(''),
    )
  return `${method}${words.join('') || 'Dashboard'}`
}

const upper = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

export type { JsonSchema }

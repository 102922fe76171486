import { z } from 'zod'
import { Duration } from './duration.ts'
import { Json } from './json.ts'
import { limits } from './limits.ts'
import { requestFields } from './step-fields.ts'

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

const text = z.union([z.string(), z.number(), z.boolean()])

/** Header names as RFC 9110 writes tokens; a value may hold a template, but never a line break (it would smuggle a header). */
export const Headers = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: 'expected a header name' }),
  z.string().regex(/^[^\r\n\0]*$/, { error: 'a header value cannot hold a line break' }),
)

const Part = z.strictObject({
  name: z.string().min(1),
  value: text.optional(),
  file: z.string().min(1).optional().describe('beside the script'),
  filename: z.string().optional(),
  contentType: z.string().optional(),
})

const Timeouts = z.strictObject({
  connect: Duration.optional(),
  headers: Duration.optional(),
  body: Duration.optional(),
  total: Duration.optional(),
})

const Auth = z.union(
  [
    z.strictObject({ basic: z.strictObject({ user: z.string(), password: z.string() }) }),
    z.strictObject({ bearer: z.string() }),
  ],
  { error: 'expected { basic: { user, password } } or { bearer }' },
)

/** What can stand on one request and, as a default for all of them, in the simulation's `http`. */
const commonFields = {
  headers: Headers.optional(),
  auth: Auth.optional(),
  timeout: z
    .union([Duration, Timeouts], { error: 'expected a duration, or { connect, headers, body, total }' })
    .optional(),
  redirects: z
    .int()
    .nonnegative()
    .max(limits.redirects.value)
    .optional()
    .describe('how many are followed; 0 follows none (default 10)'),
  cookies: z.boolean().optional().describe('kept per session (default true)'),
  compression: z.boolean().optional().describe('ask for gzip, br or deflate and decode it (default false)'),
  discardBody: z.boolean().optional().describe('count the body, but do not keep it'),
  maxBody: z
    .int()
    .positive()
    .optional()
    .describe('bytes of a response that are kept; a larger one fails the step (default 64 MiB)'),
  connections: z.enum(['keep', 'per-session']).optional(),
}

const Tls = z.strictObject({
  ca: z.string().optional().describe('a PEM file beside the script'),
  cert: z.string().optional(),
  key: z.string().optional(),
  passphrase: z.string().optional(),
  insecure: z.boolean().optional().describe('accept any certificate'),
  servername: z.string().optional(),
})

export const HttpDefaults = z
  .strictObject({
    baseUrl: z.string().optional(),
    ...commonFields,
    tls: Tls.optional(),
    proxy: z.string().optional().describe('http://user:password@host:port'),
    http2: z.boolean().optional(),
    hosts: z.record(z.string(), z.string()).optional().describe('a name to the address used for it, as in /etc/hosts'),
    maxConnections: z.int().positive().optional().describe('per origin and thread'),
  })
  .superRefine(({ connections, maxConnections }, context) => {
    if (connections !== 'per-session' || maxConnections === undefined) return
    context.addIssue({
      code: 'custom',
      path: ['maxConnections'],
      message:
        'expected none beside "connections": "per-session", where each session has a connection of its own; limit the sessions with "maxUsers"',
    })
  })
export type HttpDefaults = z.infer<typeof HttpDefaults>

const bodyFields = ['body', 'form', 'multipart', 'file', 'bytes'] as const

export const HttpStep = z
  .strictObject({
    type: z.literal('http'),
    ...requestFields,
    method: z.enum(methods).optional(),
    url: z.string().min(1).max(limits.url.value),
    query: z.record(z.string(), z.union([text, z.array(text)])).optional(),
    body: Json.optional().describe('text is sent as it is; anything else as JSON'),
    form: z
      .record(z.string(), z.union([text, z.array(text)]))
      .optional()
      .describe('application/x-www-form-urlencoded'),
    multipart: z.array(Part).min(1).optional(),
    file: z.string().min(1).optional().describe('the body is this file, beside the script'),
    bytes: z.base64().optional().describe('the body, in base64'),
    ...commonFields,
  })
  .superRefine((step, context) => {
    const given = bodyFields.filter(field => step[field] !== undefined)
    if (given.length > 1) {
      context.addIssue({
        code: 'custom',
        path: [given[1] ?? ''],
        message: `expected one body, got ${given.join(' and ')}`,
      })
    }
  })
export type HttpStep = z.infer<typeof HttpStep>

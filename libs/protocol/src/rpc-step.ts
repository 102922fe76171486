import { z } from 'zod'
import { Duration } from './duration.ts'
import { Headers } from './http-step.ts'
import { Json } from './json.ts'
import { requestFields } from './step-fields.ts'

export const GrpcConnection = z.strictObject({
  address: z.string().min(1).describe('host:port; may be a template on _env'),
  proto: z
    .union([z.string(), z.array(z.string()).min(1)])
    .optional()
    .describe('.proto files; without them, server reflection'),
  includes: z.array(z.string()).optional().describe('folders where imports are looked up'),
  tls: z
    .union([
      z.boolean(),
      z.strictObject({
        ca: z.string().optional(),
        cert: z.string().optional(),
        key: z.string().optional(),
        insecure: z.boolean().optional(),
      }),
    ])
    .optional(),
  channel: z.enum(['per-thread', 'per-session']).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  deadline: Duration.optional(),
})
export type GrpcConnection = z.infer<typeof GrpcConnection>

export const GrpcStep = z.strictObject({
  type: z.literal('grpc'),
  ...requestFields,
  on: z.string().min(1).optional().describe('a connection of the simulation; the only one is the default'),
  method: z.string().regex(/^\/?[\w.]+\/\w+$/, { error: 'expected "package.Service/Method"' }),
  message: Json.optional(),
  messages: z.array(Json).optional().describe('what a client-streaming call sends'),
  metadata: z.record(z.string(), z.string()).optional(),
  deadline: Duration.optional(),
  maxMessages: z.int().positive().optional().describe('of a stream, how many are kept (default 1000)'),
})
export type GrpcStep = z.infer<typeof GrpcStep>

export const JsonRpcDefaults = z.strictObject({ url: z.string().min(1), headers: Headers.optional() })
export type JsonRpcDefaults = z.infer<typeof JsonRpcDefaults>

const params = z.union([z.array(Json), z.record(z.string(), Json)])

export const JsonRpcStep = z
  .strictObject({
    type: z.literal('jsonrpc'),
    ...requestFields,
    url: z.string().min(1).optional(),
    headers: Headers.optional(),
    method: z.string().min(1).optional(),
    params: params.optional(),
    notification: z.boolean().optional().describe('a call without an id, which the server does not answer'),
    batch: z
      .array(
        z.strictObject({ method: z.string().min(1), params: params.optional(), notification: z.boolean().optional() }),
      )
      .min(1)
      .max(10_000)
      .optional(),
    timeout: Duration.optional(),
  })
  .superRefine((step, context) => {
    if ((step.method === undefined) === (step.batch === undefined)) {
      context.addIssue({ code: 'custom', message: 'expected either "method" or "batch"' })
    }
    for (const field of ['params', 'notification'] as const) {
      if (step.batch !== undefined && step[field] !== undefined) {
        context.addIssue({
          code: 'custom',
          path: [field],
          message: `in a batch, "${field}" belongs to each of its calls`,
        })
      }
    }
  })
export type JsonRpcStep = z.infer<typeof JsonRpcStep>

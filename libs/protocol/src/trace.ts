import { z } from 'zod'

const Headers = z.record(z.string(), z.string())
const step = z.string()

/** What happens in one session, in order. Values have had their secrets removed, and long bodies are cut. */
export const TraceEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('scenario'), name: z.string(), variables: z.record(z.string(), z.unknown()) }),
  z.strictObject({ type: z.literal('step'), name: z.string(), kind: z.string() }),
  z.strictObject({
    type: z.literal('request'),
    step,
    method: z.string().optional(),
    url: z.string().optional(),
    headers: Headers,
    body: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('redirect'), step, status: z.int() }),
  z.strictObject({
    type: z.literal('response'),
    step,
    status: z.int(),
    headers: Headers,
    trailers: Headers.optional(),
    body: z.string().optional(),
    ms: z.number(),
    connectMs: z.number(),
    firstByteMs: z.number(),
  }),
  z.strictObject({
    type: z.literal('assertion'),
    step,
    check: z.string(),
    ok: z.boolean(),
    expected: z.string().optional(),
    actual: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('export'),
    step,
    name: z.string(),
    scope: z.enum(['_s', '_j']),
    value: z.string(),
  }),
  z.strictObject({ type: z.literal('failure'), step, kind: z.string(), message: z.string() }),
  z.strictObject({ type: z.literal('pause'), ms: z.number() }),
  z.strictObject({ type: z.literal('end'), ok: z.boolean() }),
])
export type TraceEvent = z.infer<typeof TraceEvent>

/** What a verbose run tells of its sessions: whole ones, as many as there is room for. */
export const TraceMessage = z.strictObject({
  type: z.literal('trace'),
  worker: z.string(),
  events: z.array(z.strictObject({ session: z.string().describe('unique on its worker'), event: TraceEvent })),
  leftOut: z.int().nonnegative().describe('events for which there was no room since the message before'),
})
export type TraceMessage = z.infer<typeof TraceMessage>

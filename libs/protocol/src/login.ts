import { z } from 'zod'
import { limits } from './limits.ts'

export const LoginRequest = z.strictObject({
  token: z.string().min(1).max(limits.token.value).describe('one of those the service was started with'),
})
export type LoginRequest = z.infer<typeof LoginRequest>

/** Who asks, and how the service knows. */
export const SessionAnswer = z.strictObject({
  name: z.string().describe("the token's name; `nobody` where none is needed"),
  role: z.enum(['viewer', 'operator', 'node']),
  via: z.enum(['bearer', 'cookie', 'ticket', 'nobody']),
})
export type SessionAnswer = z.infer<typeof SessionAnswer>

/** Admission to one websocket: `?ticket=` in its URL. */
export const TicketAnswer = z.strictObject({ ticket: z.string(), expiresAt: z.iso.datetime() })
export type TicketAnswer = z.infer<typeof TicketAnswer>

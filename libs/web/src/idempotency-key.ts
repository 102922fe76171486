import { OnrushError } from '@onrush/protocol/error'
import { limits } from '@onrush/protocol/limits'
import type { Context } from 'hono'

const longestKey = limits.idempotencyKey.value

export interface IdempotencyKey {
  readonly key: string
  /** What must be the same when the key comes again. */
  readonly request: string
}

/** The header of a start that may be tried again, and what it stands for; `body` is the request's text, or its query. */
export function idempotencyKey(c: Context, body: string): IdempotencyKey | undefined {
  const key = c.req.header('idempotency-key')
  if (key === undefined) return undefined
  if (key === '' || key.length > longestKey) {
    const message = `expected 1 to ${longestKey} characters, got ${key.length}`
    throw new OnrushError('invalid', `the header Idempotency-Key: ${message}`, {
      errors: [{ path: 'Idempotency-Key', message }],
    })
  }
  return { key, request: `${c.req.method} ${c.req.path}\n${body}` }
}

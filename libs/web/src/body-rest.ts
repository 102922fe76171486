import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import type { Context, MiddlewareHandler } from 'hono'

/** What is left of a larger body is not worth its connection. */
const mostRest = 262_144
const patienceMs = 10_000

/**
 * An answer that was found before the body had come, as a refusal is, waits for the rest of a small one. Sent at once it
 * would leave the rest before the client's next request; the server closes such a connection soon, and the next request,
 * which may be there already, would get no answer.
 */
export const bodyRest: MiddlewareHandler = async (c, next) => {
  await next()
  const incoming = incomingOf(c)
  if (incoming !== undefined && isUnread(incoming)) await passOver(incoming)
}

function incomingOf({ env, req }: Context): IncomingMessage | undefined {
  if (req.method === 'GET' || req.method === 'HEAD' || typeof env !== 'object' || env === null) return undefined
  const incoming: unknown = Reflect.get(env, 'incoming')
  return incoming instanceof IncomingMessage ? incoming : undefined
}

/** Whoever has begun to read it reads it to the end, or has found it too large. */
const isUnread = ({ complete, destroyed, readableFlowing, headers }: IncomingMessage): boolean =>
  !complete && !destroyed && readableFlowing === null && Number(headers['content-length'] ?? 0) <= mostRest

async function passOver(incoming: IncomingMessage): Promise<void> {
  let passed = 0
  const late = AbortSignal.timeout(patienceMs)
  const enough = new AbortController()
  const count = (chunk: Buffer) => {
    passed += chunk.length
    if (passed > mostRest) enough.abort()
  }
  incoming.on('data', count)
  try {
    await once(incoming, 'end', { signal: AbortSignal.any([late, enough.signal]) })
  } catch {
    // Too long, too late, or the client is gone: the answer goes out, and the connection ends with it.
    incoming.pause()
  } finally {
    incoming.off('data', count)
  }
}

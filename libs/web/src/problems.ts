import { type Code, codes } from '@onrush/protocol/codes'
import { OnrushError, toProblem } from '@onrush/protocol/error'
import type { Context, ErrorHandler, NotFoundHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Log } from './log.ts'

export function answerProblem(c: Context, error: OnrushError): Response {
  const status: ContentfulStatusCode = codes[error.code]
  if (status === 401) c.header('www-authenticate', 'Bearer realm="onrush"')
  return c.json(toProblem(error, c.req.path), status, { 'content-type': 'application/problem+json' })
}

const codeOfStatus: Record<number, Code> = {
  400: 'malformed',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  413: 'too_large',
}

/** While Redis is away a command fails at once with one of these words (ioredis has no class for it). */
const redisAway = /Stream isn't writeable|Connection is closed|ECONNREFUSED|Command timed out|max retries per request/

export function toOnrushError(error: unknown): OnrushError {
  if (error instanceof OnrushError) return error
  if (error instanceof HTTPException) {
    return new OnrushError(
      codeOfStatus[error.status] ?? 'malformed',
      error.message || 'the request could not be read',
      { cause: error },
    )
  }
  if (error instanceof Error && redisAway.test(error.message)) {
    return new OnrushError('unavailable', 'Redis is away: try again in a few seconds', { cause: error })
  }
  return new OnrushError('internal', 'something went wrong on our side; the log of this node says what', {
    cause: error,
  })
}

/** Every failing answer in one shape; what we did not foresee goes to the log whole and to the client without details. */
export function problems(log: Log): { onError: ErrorHandler; notFound: NotFoundHandler } {
  return {
    onError: (error, c) => {
      const known = toOnrushError(error)
      if (known.code === 'internal') log('error', 'a request failed', { method: c.req.method, path: c.req.path, error })
      return answerProblem(c, known)
    },
    notFound: c => answerProblem(c, new OnrushError('not_found', `there is nothing at ${c.req.method} ${c.req.path}`)),
  }
}

import type { Context, MiddlewareHandler } from 'hono'
import type { AuditEntry, AuditLog } from './audit.ts'
import type { AuthVariables } from './authenticate.ts'
import { clientAddress } from './client-address.ts'
import { RateLimit } from './rate-limit.ts'

/** Answers longer than this are no starts or stops. */
const longestAnswer = 64 * 1_024
/** What strangers are refused must not fill the disk: beyond this it is counted and said with the next line. */
const refusalsKept = { burst: 20, perSecond: 0.2 }

/** Writes down everything that changes something, who asked for it, and whether it was done. */
export function auditTrail(
  audit: AuditLog,
  acts: (method: string, path: string) => boolean,
  now: () => number,
): MiddlewareHandler<{ Variables: AuthVariables }> {
  const kept = new RateLimit(refusalsKept, now)
  let unsaid = 0
  return async (c, next) => {
    await next()
    const { method, path } = c.req
    if (!acts(method, path)) return
    const { status } = c.res
    const outcome = status < 400 ? 'done' : status >= 500 ? 'failed' : 'refused'
    const from = clientAddress(c)
    if (outcome === 'refused' && !kept.take(from)) {
      unsaid++
      return
    }
    const detail = [`${status}`, ...(unsaid > 0 ? [`${unsaid} refused requests before this one are not listed`] : [])]
    unsaid = 0
    // Where nobody was let in, nobody is known.
    const identity: AuthVariables['identity'] | undefined = c.get('identity')
    const entry: AuditEntry = {
      who: identity?.name ?? 'nobody',
      from,
      action: `${method} ${path.slice(0, 200)}`,
      run: await runsOf(c),
      detail: detail.join('; '),
      outcome,
    }
    await audit.write(entry)
  }
}

/** Which runs an answer is about. */
async function runsOf(c: Context): Promise<string | undefined> {
  const { res } = c
  if (!(res.headers.get('content-type') ?? '').includes('json') || res.status >= 400) return undefined
  if (Number(res.headers.get('content-length') ?? 0) > longestAnswer) return undefined
  const text = await res.clone().text()
  if (text.length > longestAnswer) return undefined
  const answer: unknown = JSON.parse(text)
  if (typeof answer !== 'object' || answer === null) return undefined
  if ('runId' in answer && typeof answer.runId === 'string') return answer.runId
  if ('runs' in answer && Array.isArray(answer.runs)) return answer.runs.join(' ') || undefined
  return undefined
}

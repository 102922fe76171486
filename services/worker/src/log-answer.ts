import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Context } from 'hono'
import type { StoredLog } from './shard-log.ts'

/** One range of bytes, as RFC 9110 writes it; several at once are nobody's need and answered with the whole. */
export function rangeOf(
  header: string | undefined,
  size: number,
): { from: number; to: number } | 'whole' | 'unsatisfiable' {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (found === null || (found[1] === '' && found[2] === '')) return 'whole'
  const [, first = '', last = ''] = found
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return from > to || from >= size ? 'unsatisfiable' : { from, to }
}

const type = 'application/x-ndjson'

/** A run log as an answer: a range of it, or the whole, compressed where the client reads gzip. */
export function answerLog(c: Context, log: StoredLog): Response {
  const range = rangeOf(c.req.header('range'), log.size)
  c.header('accept-ranges', 'bytes')
  c.header('vary', 'accept-encoding')
  if (range === 'unsatisfiable') return c.body(null, 416, { 'content-range': `bytes */${log.size}` })
  if (log.size === 0) return c.body('', 200, { 'content-type': type })
  if (range !== 'whole') {
    const headers = {
      'content-type': type,
      'content-range': `bytes ${range.from}-${range.to}/${log.size}`,
      'content-length': String(range.to - range.from + 1),
    }
    return c.body(web(log.read(range.from, range.to)), 206, headers)
  }
  // The file may grow while it is read: the answer ends where it ended when it was asked for.
  const whole = log.read(0, log.size - 1)
  if (/\bgzip\b/.test(c.req.header('accept-encoding') ?? '')) {
    return c.body(web(whole.pipe(createGzip())), 200, { 'content-type': type, 'content-encoding': 'gzip' })
  }
  return c.body(web(whole), 200, { 'content-type': type, 'content-length': String(log.size) })
}

const web = (stream: Readable): ReadableStream => Readable.toWeb(stream) as ReadableStream

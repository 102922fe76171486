import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Context } from 'hono'

export type Range = { readonly from: number; readonly to: number } | 'whole' | 'unsatisfiable'

/** One range of bytes, as RFC 9110 writes it; several at once are nobody's need and answered with the whole. */
export function rangeOf(header: string | undefined, size: number): Range {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (found === null || (found[1] === '' && found[2] === '')) return 'whole'
  const [, first = '', last = ''] = found
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return from > to || from >= size ? 'unsatisfiable' : { from, to }
}

export function rangeHeaders(range: Range, size: number): Record<string, string> {
  const common = { 'accept-ranges': 'bytes', 'content-type': 'application/octet-stream' }
  if (range === 'unsatisfiable') return { ...common, 'content-range': `bytes */${size}` }
  if (range === 'whole') return { ...common, 'content-length': String(size) }
  const { from, to } = range
  return { ...common, 'content-length': String(to - from + 1), 'content-range': `bytes ${from}-${to}/${size}` }
}

/** A file as an answer, or the range of it that was asked for; never in memory as a whole. */
export function answerFile(c: Context, path: string, size: number, more: Record<string, string>): Response {
  const range = rangeOf(c.req.header('range'), size)
  const headers = { ...more, ...rangeHeaders(range, size) }
  if (range === 'unsatisfiable') return c.body(null, 416, headers)
  if (size === 0) return c.body(null, 200, headers)
  const { from, to } = range === 'whole' ? { from: 0, to: size - 1 } : range
  const stream = createReadStream(path, { start: from, end: to, highWaterMark: 262_144 })
  return c.body(Readable.toWeb(stream) as ReadableStream, range === 'whole' ? 200 : 206, headers)
}

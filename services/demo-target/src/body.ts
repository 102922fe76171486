import { OnrushError } from '@onrush/protocol/error'
import type { Exchange } from './exchange.ts'

const largest = 16 * 2 ** 20

/**
 * The request's body. One that is too large is read to its end and thrown away before the refusal: a client that is
 * still sending when the connection closes sees a reset and never the 413.
 */
export async function readBody({ req, entry }: Exchange): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
    entry.received(bytes.length)
    size += bytes.length
    if (size <= largest) chunks.push(bytes)
    else chunks.length = 0
  }
  if (size > largest) throw new OnrushError('too_large', `body: expected at most ${largest} bytes, got ${size}`)
  return Buffer.concat(chunks)
}

export async function readJson(exchange: Exchange): Promise<unknown> {
  const text = (await readBody(exchange)).toString('utf8')
  try {
    return JSON.parse(text)
  } catch (cause) {
    const got = text === '' ? 'an empty body' : `"${text.slice(0, 80)}"`
    throw new OnrushError('malformed', `body: expected JSON, got ${got}`, { cause })
  }
}

/** The members of a JSON object, for checking one by one. */
export async function readFields(exchange: Exchange): Promise<Readonly<Record<string, unknown>>> {
  const value = await readJson(exchange)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new OnrushError('invalid', `body: expected a JSON object, got ${JSON.stringify(value).slice(0, 80)}`)
}

import { check, faultsInWords } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import { limits } from '@onrush/protocol/limits'
import type { Context } from 'hono'
import type { z } from 'zod'

/** A request's text, refused as soon as it is larger than the limit: what is declared is not believed, what comes is counted. */
export async function textBody(c: Context, limit: number): Promise<string> {
  const tooLarge = () => new OnrushError('too_large', `expected a body of at most ${limit} bytes`)
  if (Number(c.req.header('content-length') ?? 0) > limit) throw tooLarge()
  const stream = c.req.raw.body
  if (stream === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (cause) {
    throw new OnrushError('malformed', 'expected the body in UTF-8', { cause })
  }
}

export interface JsonBody<T> {
  readonly value: T
  /** As it came, for what compares bodies. */
  readonly text: string
}

/** Whether brackets stand deeper than that. What reads such a body by recursion would end with the stack, and not with an answer. */
export function isDeeper(text: string, most: number): boolean {
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (quoted) {
      if (char === '\\') i++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{' || char === '[') {
      if (++depth > most) return true
    } else if (char === '}' || char === ']') depth--
  }
  return false
}

/** A JSON body of a schema's shape, or one error with every problem and its place. */
export async function jsonBody<T>(c: Context, schema: z.ZodType<T>, limit: number): Promise<JsonBody<T>> {
  const type = c.req.header('content-type') ?? ''
  if (!/^application\/(json|[\w.+-]+\+json)\b/i.test(type)) {
    // A form or text/plain can be posted by any page without asking; JSON cannot.
    throw new OnrushError(
      'malformed',
      `expected a body of content-type application/json, got ${type === '' ? 'none' : `"${type.slice(0, 80)}"`}`,
    )
  }
  const text = await textBody(c, limit)
  const deepest = limits.nesting.value
  if (isDeeper(text, deepest)) throw new OnrushError('malformed', `expected a JSON body of at most ${deepest} levels`)
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch (cause) {
    throw new OnrushError(
      'malformed',
      `expected a JSON body: ${cause instanceof Error ? cause.message : 'it cannot be read'}`,
      { cause },
    )
  }
  const checked = check(schema, input)
  if (!checked.ok)
    throw new OnrushError('invalid', faultsInWords('the request', checked.faults), { errors: checked.faults })
  return { value: checked.value, text }
}

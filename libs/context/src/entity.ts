import { bodyText, isJsonType, parseJson } from './body-text.ts'
import { type HeaderSource, readHeader } from './headers.ts'

/** What a response still has to go through before it is the entity. */
export type Pending = 'nothing' | 'body' | 'made' | 'message'

export type Entity = {
  readonly value: unknown
  /** False when no text in it can hold a reference, as one look at the body tells. */
  readonly mayRefer: boolean
}

export function parseEntity(pending: Pending, raw: unknown, headers: HeaderSource | undefined): Entity {
  if (pending === 'body' && (typeof raw === 'string' || raw instanceof Uint8Array)) {
    const type = headers === undefined ? undefined : readHeader(headers, 'content-type')
    const text = bodyText(raw, type)
    if (!isJsonType(type)) return { value: text, mayRefer: text.includes('{{') }
    // JSON may write a brace as an escape (`\u007b`), which only a reader of the values would find.
    return { value: parseJson(text), mayRefer: text.includes('{{') || text.includes('\\u007') }
  }
  if (pending === 'made' && typeof raw === 'function') return { value: raw(), mayRefer: true }
  return { value: raw, mayRefer: true }
}

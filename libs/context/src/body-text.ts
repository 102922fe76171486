const utf8 = new TextDecoder('utf-8')

/** The text of a body in the charset its content type names; UTF-8 when it names none or one that nobody knows. */
export function bodyText(body: string | Uint8Array, contentType: string | undefined): string {
  if (typeof body === 'string') return body
  const charset = contentType === undefined ? undefined : /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1]
  if (charset === undefined || /^utf-?8$/i.test(charset)) return utf8.decode(body)
  return decoderFor(charset).decode(body)
}

function decoderFor(charset: string): typeof utf8 {
  try {
    return new TextDecoder(charset)
  } catch {
    // A RangeError: the server named a charset that does not exist.
    return utf8
  }
}

/** `application/json`, `application/problem+json`, `text/json`. */
export function isJsonType(contentType: string | undefined): boolean {
  return contentType !== undefined && /^[\w.-]+\/(?:[\w.-]+\+)?json\b/i.test(contentType.trimStart())
}

/** Parsed when the type says JSON; otherwise the text as it came. */
export function parseBody(body: string | Uint8Array, contentType: string | undefined): unknown {
  const text = bodyText(body, contentType)
  return isJsonType(contentType) ? parseJson(text) : text
}

/** A server may call JSON what is not: the text then, of which an assertion says more than a parser's message would. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A SyntaxError, the only thing that parsing throws.
    return text
  }
}

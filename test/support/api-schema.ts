import { z } from 'zod'

type Document = { readonly [key: string]: unknown }

const rewritten = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll('#/components/schemas/', '#/$defs/'))

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (here, key) => (typeof here === 'object' && here !== null ? Reflect.get(here, key) : undefined),
    value,
  )

/** What a document says an operation answers with a status: a check of it, or how the answer must be typed. */
export class ApiSchemas {
  readonly #document: Document
  readonly #checks = new Map<string, z.ZodType>()

  constructor(document: Document) {
    this.#document = document
  }

  /** What is wrong with an answer; nothing where it is as documented. */
  fault(method: string, path: string, status: number, type: string, body: string): string | undefined {
    const responses = at(this.#document, 'paths', path, method)
    const told = at(responses, 'responses', String(status))
    if (told === undefined) return `${method} ${path} is not documented to answer ${status}: ${body.slice(0, 300)}`
    const ref = at(told, '$ref')
    const real =
      typeof ref === 'string' ? at(this.#document, 'components', 'responses', ref.split('/').at(-1) ?? '') : told
    const content = at(real, 'content')
    if (typeof content !== 'object' || content === null)
      return body === '' ? undefined : `expected no body, got ${body.slice(0, 100)}`
    const plain = type.split(';')[0] ?? ''
    const schema = at(content, plain, 'schema')
    if (schema === undefined)
      return 'application/octet-stream' in content || plain in content
        ? undefined
        : `expected ${Object.keys(content)}, got ${plain}`
    const key = `${method} ${path} ${status}`
    const check = this.#checks.get(key) ?? this.#checkOf(schema)
    this.#checks.set(key, check)
    const parsed = check.safeParse(JSON.parse(body))
    return parsed.success ? undefined : `${key}: ${z.prettifyError(parsed.error)}: ${body.slice(0, 500)}`
  }

  #checkOf(schema: unknown): z.ZodType {
    const whole = { ...(rewritten(schema) as object), $defs: rewritten(at(this.#document, 'components', 'schemas')) }
    return z.fromJSONSchema(whole as Parameters<typeof z.fromJSONSchema>[0])
  }
}

import type { Fixed } from './fixed.ts'
import type { Route } from './route.ts'

/** A request that needs no parser: its answer never changes. */
export interface Quick {
  readonly template: string
  readonly fixed: Fixed
  readonly name: string | undefined
}

/** `GET`, a path without a query, HTTP/1.1, and at least one header, all of them well formed. */
const plainGet = /^GET (\/[a-z-]*) HTTP\/1\.1\r\n((?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*\r\n)+)\r\n$/

/** Headers that mean a body, another protocol, an end of the connection, or a row to be recorded. */
const needsParser =
  /^(?:content-length|transfer-encoding|expect|upgrade|connection|x-row):(?![\t ]*keep-alive[\t ]*\r)/im

const host = /^host:/gim

const named = /^x-onrush-name:[\t ]*(.*?)[\t ]*\r$/im

/** Half of what node's parser takes; a longer head is its to judge. */
const longest = 8192

/** Clients repeat themselves: the same few heads, byte for byte, make up nearly all of the traffic. */
const mostRemembered = 256

/**
 * Tells from a request's head whether it is a quick one. A head is examined strictly once and then remembered: after
 * that a request costs one look-up. Whatever is in any doubt is not quick and goes to node's parser.
 */
export class QuickHeads {
  readonly #fixed = new Map<string, Fixed>()
  readonly #remembered = new Map<string, Quick>()

  constructor(routes: Iterable<Route>) {
    for (const { template, fixed } of routes) if (fixed !== undefined) this.#fixed.set(template, fixed)
  }

  find(head: string): Quick | undefined {
    return this.#remembered.get(head) ?? this.#examine(head)
  }

  #examine(head: string): Quick | undefined {
    if (head.length > longest) return undefined
    const [, template, headers] = plainGet.exec(head) ?? []
    if (template === undefined || headers === undefined) return undefined
    const fixed = this.#fixed.get(template)
    if (fixed === undefined || needsParser.test(headers) || headers.match(host)?.length !== 1) return undefined
    const name = named.exec(headers)?.[1]
    const quick = { template, fixed, name: name === '' ? undefined : name }
    if (this.#remembered.size >= mostRemembered) this.#remembered.clear()
    this.#remembered.set(head, quick)
    return quick
  }
}

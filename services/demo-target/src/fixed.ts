import type { Route } from './route.ts'

/** An answer that is the same for everybody, kept as the bytes that go on the wire. */
export class Fixed {
  readonly body: Buffer
  readonly headers: readonly string[]
  #second = -1
  #bytes = Buffer.alloc(0)

  constructor(headers: readonly string[], body: Buffer) {
    this.headers = headers
    this.body = body
  }

  /** The whole response. Only its `date` changes, so it is put together once a second. */
  bytes(now: number): Buffer {
    const second = Math.floor(now / 1000)
    if (second !== this.#second) {
      this.#second = second
      const lines = ['HTTP/1.1 200 OK']
      for (let i = 0; i < this.headers.length; i += 2) lines.push(`${this.headers[i]}: ${this.headers[i + 1]}`)
      lines.push(`date: ${new Date(now).toUTCString()}`, `content-length: ${this.body.length}`, '', '')
      this.#bytes = Buffer.concat([Buffer.from(lines.join('\r\n')), this.body])
    }
    return this.#bytes
  }
}

export function fixedRoute(template: string, fixed: Fixed): Route {
  return { template, fixed, handlers: { GET: exchange => exchange.reply(200, fixed.headers, fixed.body) } }
}

export function fixedJson(value: unknown): Fixed {
  return new Fixed(['content-type', 'application/json'], Buffer.from(`${JSON.stringify(value)}\n`))
}

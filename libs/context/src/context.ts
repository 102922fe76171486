import { parseBody } from './body-text.ts'
import { type Pending, parseEntity } from './entity.ts'
import type { Environment } from './environment.ts'
import { type HeaderSource, headerScope, readHeader } from './headers.ts'
import type { Imports } from './imports.ts'
import { Random } from './random.ts'
import { renderResponse } from './response.ts'
import { createScope, type Scope } from './scope.ts'

/** The same for all sessions of a slice: build it once. */
export type SessionSettings = {
  readonly environment: Environment
  /** `_j` at the start. */
  readonly variables: Imports
  readonly renderResponses: boolean
}

export type Globals = {
  readonly runId: string
  readonly worker: string
  readonly user: number
  readonly iteration: number
  readonly arrival: number
}

export type Times = {
  readonly request: number
  readonly micros: number
  readonly connect: number
  readonly firstByte: number
}

export type SentRequest = {
  readonly method: string
  readonly url: string
  readonly headers: HeaderSource
  readonly body: unknown
}

export type HttpResponse = {
  readonly status: number
  readonly statusText: string
  readonly headers: HeaderSource
  readonly body: string | Uint8Array
  readonly time: Times
}

export type RpcResponse = {
  readonly status: number
  readonly statusText: string
  readonly headers: HeaderSource
  readonly trailers: HeaderSource
  readonly message: unknown
  readonly time: Times
}

const noHeaders: HeaderSource = []
const unseeded = new Random(0, 0)
const nobody: Globals = Object.freeze({ runId: '', worker: '', user: 0, iteration: 0, arrival: 0 })
const notBegun: SessionSettings = {
  environment: { values: createScope(), secrets: new Set(), secretTexts: [] },
  variables: { names: [], apply: () => undefined },
  renderResponses: false,
}
/**
 * One session's data. A response is kept as it came and becomes `entity` and `headers` when something reads them: most
 * steps check a status only, and parsing is the dearest thing a step can do.
 */
export class Context {
  #settings: SessionSettings = notBegun
  #random: Random = unseeded
  #globals: Globals = nobody
  #j: Scope = createScope()
  #s: Scope = createScope()
  #status: number | undefined = undefined
  #statusText = ''
  #headerSource: HeaderSource | undefined = undefined
  #headers: Scope | undefined = undefined
  #trailerSource: HeaderSource | undefined = undefined
  #trailers: Scope | undefined = undefined
  #raw: unknown = undefined
  #pending: Pending = 'nothing'
  #time: Times | undefined = undefined
  #sent: SentRequest | undefined = undefined
  #renders = false
  #request: Scope | undefined = undefined

  /** Nothing of an earlier session stays. Throws `RenderError` when a variable refers to what is not there. */
  beginSession(settings: SessionSettings, globals: Globals, random: Random): void {
    this.#settings = settings
    this.#globals = Object.freeze(globals)
    this.#random = random
    this.#j = createScope()
    this.#s = createScope()
    this.beforeRequest()
    settings.variables.apply(this, '_j')
  }

  /** `_s` is cleared, then takes the feeder's row (plain data) and the imports (which may refer to the row). */
  beginScenario(imports?: Imports, row?: { readonly [column: string]: unknown }): void {
    this.#s = createScope(row)
    imports?.apply(this, '_s')
  }

  /** The last response is erased, and the request with it. `renders`: whether the next one is rendered, if not as usual. */
  beforeRequest(renders: boolean = this.#settings.renderResponses): void {
    this.#renders = renders
    this.#status = undefined
    this.#headerSource = undefined
    this.#headers = undefined
    this.#trailerSource = undefined
    this.#trailers = undefined
    this.#raw = undefined
    this.#pending = 'nothing'
    this.#time = undefined
    this.#sent = undefined
    this.#request = undefined
  }

  /** A body that is JSON by its content type is parsed when something reads `$._req.body`. */
  requestSent(request: SentRequest): void {
    this.#sent = request
    this.#request = undefined
  }

  httpResponse(response: HttpResponse): void {
    this.#respond(response.status, response.headers, 'body', response.body, response.time)
    this.#statusText = response.statusText
  }

  /** `status` is the gRPC code, `statusText` its name or message. */
  rpcResponse(response: RpcResponse): void {
    this.#respond(response.status, response.headers, 'message', response.message, response.time)
    this.#statusText = response.statusText
    this.#trailerSource = response.trailers
  }

  /** `make` builds what the statement gave, in JSON's terms, when something reads it. */
  sqlResult(make: () => unknown, time: Times): void {
    this.#respond(0, noHeaders, 'made', make, time)
    this.#statusText = 'OK'
  }

  sqlFailure(code: string, message: string, time: Times): void {
    this.#respond(1, noHeaders, 'message', createScope({ code, message }), time)
    this.#statusText = code
  }

  export(scope: '_s' | '_j', name: string, value: unknown): void {
    if (scope === '_j') this.#j[name] = value
    else this.#s[name] = value
  }

  get random(): Random {
    return this.#random
  }

  /** `undefined` between the erasure and the response, like the others of a response. */
  get status(): number | undefined {
    return this.#status
  }

  /** By lower-case name, and `Status`. */
  get headers(): Scope | undefined {
    if (this.#headers === undefined && this.#headerSource !== undefined) {
      const scope = this.#rendered(headerScope(this.#headerSource))
      // A server's own `status` field stands under both names: paths look names up in lower case.
      scope.Status = scope.status ?? this.#statusLine()
      this.#headers = scope
    }
    return this.#headers
  }

  /** One header without building the map. `name` is in lower case. */
  header(name: string): string | undefined {
    if (this.#headerSource === undefined) return undefined
    const value = readHeader(this.#headerSource, name)
    if (value === undefined) return name === 'status' ? this.#statusLine() : undefined
    return this.#renders && value.includes('{{') ? String(this.#render(value)) : value
  }

  /** What a gRPC call ended with, beside the headers it began with. */
  get trailers(): Scope | undefined {
    if (this.#trailers === undefined && this.#trailerSource !== undefined) {
      this.#trailers = this.#rendered(headerScope(this.#trailerSource))
    }
    return this.#trailers
  }

  get entity(): unknown {
    return this.#pending === 'nothing' ? this.#raw : this.#parseEntity()
  }

  get time(): Times | undefined {
    return this.#time
  }

  get _req(): Scope | undefined {
    if (this.#request === undefined && this.#sent !== undefined) {
      const { method, url, headers, body } = this.#sent
      const parsed =
        typeof body === 'string' || body instanceof Uint8Array
          ? parseBody(body, readHeader(headers, 'content-type'))
          : body
      this.#request = createScope({ method, url, headers: headerScope(headers), body: parsed })
    }
    return this.#request
  }

  get environment(): Environment {
    return this.#settings.environment
  }

  get _env(): Scope {
    return this.#settings.environment.values
  }

  get _g(): Globals {
    return this.#globals
  }

  get _j(): Scope {
    return this.#j
  }

  get _s(): Scope {
    return this.#s
  }

  #respond(status: number, headers: HeaderSource, pending: Pending, raw: unknown, time: Times): void {
    this.#status = status
    this.#headerSource = headers
    this.#headers = undefined
    this.#trailerSource = undefined
    this.#trailers = undefined
    this.#raw = raw
    this.#pending = pending
    this.#time = time
  }

  /** Written when something reads it, which is hardly ever. */
  #statusLine(): string {
    return `${this.#status} ${this.#statusText}`.trimEnd()
  }

  #parseEntity(): unknown {
    const { value, mayRefer } = parseEntity(this.#pending, this.#raw, this.#headerSource)
    // Settled before it is rendered: a response that refers to `$.entity` reads itself as it came, and only once.
    this.#pending = 'nothing'
    this.#raw = value
    if (mayRefer && this.#renders) this.#raw = this.#render(value)
    return this.#raw
  }

  #rendered(scope: Scope): Scope {
    if (this.#renders) {
      for (const name of Object.keys(scope)) {
        const value = scope[name]
        if (typeof value === 'string' && value.includes('{{')) scope[name] = String(this.#render(value))
      }
    }
    return scope
  }

  #render(value: unknown): unknown {
    return renderResponse(value, this, this.#settings.environment)
  }
}

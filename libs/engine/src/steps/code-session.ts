import { missing } from '@onrush/context/missing'
import { compilePath, type Path } from '@onrush/context/path'
import { compileValue, type Template } from '@onrush/context/template'
import type { CodeHttpOptions } from '@onrush/protocol/code'
import type { CodeHttp, CodeOutcome, CodeSession } from '@onrush/protocol/code-session'
import { OnrushError } from '@onrush/protocol/error'
import type { Fault } from '@onrush/protocol/problem'
import type { Session } from '../session/session.ts'
import type { CompileScope } from './compile-scope.ts'
import { waitFor } from './pause.ts'
import type { CompiledRequest } from './request.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
export type RequestFromCode = (method: Method, name: string, url: string, options: CodeHttpOptions) => CompiledRequest

/** Code said that its step has failed. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'
}

/** Unwinds code whose session has ended; the step itself is not to blame. */
export class SessionEnded extends Error {
  override readonly name = 'SessionEnded'
  constructor() {
    super('the session has ended')
  }
}

const kept = 500

/** What code asks for again and again is compiled once; code that builds endless texts must not fill the memory. */
class Compiled<T> {
  readonly #known = new Map<string, T>()
  readonly #compile: (text: string, faults: Fault[]) => T

  constructor(compile: (text: string, faults: Fault[]) => T) {
    this.#compile = compile
  }

  of(text: string): T {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const faults: Fault[] = []
    const made = this.#compile(text, faults)
    if (faults.length > 0) {
      throw new OnrushError('invalid', `${JSON.stringify(text)}: ${faults.map(fault => fault.message).join('; ')}`)
    }
    if (this.#known.size >= kept) this.#known.clear()
    this.#known.set(text, made)
    return made
  }
}

const paths = new Compiled<Path>((text, faults) => compilePath(text, '', faults))
const templates = new Compiled<Template<unknown>>((text, faults) => compileValue(text, '', faults))

/** A session as its code steps see it. */
export class CodeSteps implements CodeSession<CodeHttpOptions> {
  readonly http: CodeHttp<CodeHttpOptions>
  readonly #session: Session
  readonly #scope: CompileScope
  readonly #step: string
  readonly #compile: RequestFromCode
  // Requests of one session share its context, so code that starts two at once gets them one after the other.
  #last: Promise<unknown> = Promise.resolve()

  constructor(session: Session, scope: CompileScope, step: string, compile: RequestFromCode) {
    this.#session = session
    this.#scope = scope
    this.#step = step
    this.#compile = compile
    const of =
      (method: Method) =>
      (name: string, url: string, options: CodeHttpOptions = {}): Promise<CodeOutcome> =>
        this.#request(method, name, url, options)
    this.http = {
      get: of('GET'),
      post: of('POST'),
      put: of('PUT'),
      patch: of('PATCH'),
      delete: of('DELETE'),
      head: of('HEAD'),
      options: of('OPTIONS'),
    }
  }

  get(path: string): unknown {
    const value = paths.of(path).read(this.#session.context)
    return value === missing ? undefined : value
  }

  set(name: string, value: unknown, scope: '_s' | '_j' = '_s'): void {
    this.#session.context.export(scope, name, value)
  }

  render(template: string): unknown {
    return templates.of(template).render(this.#session.context)
  }

  async pause(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new OnrushError('invalid', `expected a pause of 0 ms or more, got ${ms}`)
    const session = this.#session
    session.ended(performance.now())
    session.trace?.({ type: 'pause', ms })
    await waitFor(session, ms * this.#scope.thinkTimes)
    if (session.interrupted) throw new SessionEnded()
  }

  random(): number {
    return this.#session.context.random.float()
  }

  count(metric: string, by = 1, tags?: Record<string, string>): void {
    this.#recorder.counter(metric, tags).add(by)
  }

  gauge(metric: string, value: number, tags?: Record<string, string>): void {
    this.#recorder.gauge(metric, tags).set(value, this.#scope.workshop.clock.now())
  }

  rate(metric: string, hit: boolean, tags?: Record<string, string>): void {
    this.#recorder.rate(metric, tags).add(hit)
  }

  trend(metric: string, ms: number, tags?: Record<string, string>): void {
    this.#recorder.trend(metric, tags).add(ms)
  }

  check(name: string, passed: boolean): void {
    const { scenario, group } = this.#scope
    const at = { scenario, step: this.#step }
    const row = this.#recorder.step(group === undefined ? at : { ...at, group })
    row.check(row.checkIndex(name), passed)
    this.#session.trace?.({ type: 'assertion', step: this.#step, check: name, ok: passed })
  }

  fail(message: string): never {
    throw new StepFailure(message)
  }

  get signal(): AbortSignal {
    return this.#session.signal
  }

  get #recorder() {
    return this.#scope.workshop.recorder
  }

  #request(method: Method, name: string, url: string, options: CodeHttpOptions): Promise<CodeOutcome> {
    const request = this.#compile(method, name, url, options)
    const outcome = this.#last.then(async () => {
      if (this.#session.interrupted) throw new SessionEnded()
      const ok = await request.run(this.#session)
      if (this.#session.interrupted) throw new SessionEnded()
      const { context } = this.#session
      const headers: Record<string, string> = {}
      for (const [field, value] of Object.entries(context.headers ?? {})) headers[field] = String(value)
      return { ok, status: context.status ?? 0, entity: context.entity, headers }
    })
    // The queue goes on after a failure; whoever called is told by `outcome`.
    this.#last = outcome.catch(() => undefined)
    return outcome
  }
}

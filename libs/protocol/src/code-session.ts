// Imports nothing: what authors write with is made of this, and the type check of a script must not have to read more.

/** What a request made from code answers: the same outcome the metrics count. */
export interface CodeOutcome {
  /** Sent, answered, and every assertion met. */
  readonly ok: boolean
  readonly status: number
  /** The body: parsed when it is JSON, otherwise text. */
  readonly entity: unknown
  readonly headers: Readonly<Record<string, string>>
}

type Request<Options> = (name: string, url: string, options?: Options) => Promise<CodeOutcome>

/** The HTTP steps, to be called from code. Each request is counted under its name, as a step is. */
export interface CodeHttp<Options> {
  readonly get: Request<Options>
  readonly post: Request<Options>
  readonly put: Request<Options>
  readonly patch: Request<Options>
  readonly delete: Request<Options>
  readonly head: Request<Options>
  readonly options: Request<Options>
}

/** What a code step gets: its session's context, the protocols, and a place to count into. */
export interface CodeSession<Options> {
  /** Reads a path of the context, `$.entity.token`; `undefined` where it finds nothing. */
  get(path: string): unknown
  /** Keeps a variable, in the scenario's scope (`_s`) unless told otherwise. */
  set(name: string, value: unknown, scope?: '_s' | '_j'): void
  /** Renders a template with the context as it is now. */
  render(template: string): unknown
  readonly http: CodeHttp<Options>
  pause(ms: number): Promise<void>
  /** A number in [0, 1) from the session's own seeded generator, so that a seeded run repeats. */
  random(): number
  /** Adds to a counter of yours. */
  count(metric: string, by?: number, tags?: Record<string, string>): void
  /** Sets a gauge of yours. */
  gauge(metric: string, value: number, tags?: Record<string, string>): void
  /** Adds a hit or a miss to a rate of yours. */
  rate(metric: string, hit: boolean, tags?: Record<string, string>): void
  /** Adds milliseconds to a trend of yours; fractions are kept to the microsecond. */
  trend(metric: string, ms: number, tags?: Record<string, string>): void
  /** Counts a check, as an assertion does. A check that did not pass does not end the step. */
  check(name: string, passed: boolean): void
  /** Fails the step with a sentence of yours. */
  fail(message: string): never
  /** Aborted when the run ends: give it to whatever you wait for. */
  readonly signal: AbortSignal
}

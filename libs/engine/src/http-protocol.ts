import type { Environment } from '@onrush/context/environment'
import type { HttpDefaults } from '@onrush/protocol/http-step'
import type { Fault } from '@onrush/protocol/problem'
import type { RequestStep } from '@onrush/protocol/step'
import manifest from '../package.json' with { type: 'json' }
import { compileHttpStep, type HttpTools } from './http/compile-http-step.ts'
import type { CompiledHttpStep, HttpOutcome } from './http/http-exchange.ts'
import { HttpTransport } from './http/http-transport.ts'
import type { TargetGuard } from './http/target-guard.ts'
import type { Files } from './http/tls-settings.ts'
import type { Protocol, RequestRunner } from './protocol.ts'
import type { Session } from './session/session.ts'

/** `http` steps: one transport per thread. */
export class HttpProtocol implements Protocol {
  readonly failsFrom = 400
  /** For protocols that speak over HTTP, and share its connections. */
  readonly tools: HttpTools

  constructor(defaults: HttpDefaults, environment: Environment, files: Files, guard?: TargetGuard) {
    const transport = new HttpTransport({ http: defaults, files, ...(guard === undefined ? {} : { guard }) })
    this.tools = { transport, defaults, environment, files, userAgent: `onrush/${manifest.version}` }
  }

  compile(step: RequestStep, where: string, faults: Fault[]): RequestRunner | undefined {
    return step.type === 'http' ? new HttpRunner(compileHttpStep(step, this.tools, where, faults)) : undefined
  }

  endSession(session: Session): void {
    if (session.connections !== undefined) this.tools.transport.release(session.connections)
  }

  async close(): Promise<void> {
    await this.tools.transport.close()
  }
}

class HttpRunner implements RequestRunner {
  readonly #step: CompiledHttpStep

  constructor(step: CompiledHttpStep) {
    this.#step = step
  }

  run(session: Session): Promise<HttpOutcome> {
    // Rendered first: a request may refer to the response before it, which sending erases.
    const request = this.#step.prepare(session)
    session.sending()
    return this.#step.send(request, session, session.signal)
  }

  receive(outcome: HttpOutcome, { context }: Session): void {
    context.requestSent(outcome.request)
    if (outcome.response !== undefined) context.httpResponse(outcome.response)
  }
}

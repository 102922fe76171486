import type { CompiledAssertion } from '@onrush/context/assertion'
import { compileAssertion } from '@onrush/context/assertion'
import { type CompiledExports, compileExports } from '@onrush/context/exports'
import { RenderError } from '@onrush/context/render-error'
import type { RequestStep } from '@onrush/protocol/step'
import type { Outcome, Protocol, RequestRunner } from '../protocol.ts'
import type { Session } from '../session/session.ts'
import { type CountedStep, StepCounter } from '../session/step-counter.ts'
import type { CompileScope } from './compile-scope.ts'
import { type Failing, failureMessage, judge } from './judge.ts'
import { microsBetween } from './micros.ts'
import { recordOutcome, recordUnsent } from './record.ts'
import { sampleOf } from './sample.ts'
import { takeSlot } from './slot.ts'
import { type CountTagged, compileTags } from './tagged.ts'
import { traceOutcome } from './trace-outcome.ts'

/** A request step compiled for a thread: everything but the session is bound here. */
export class CompiledRequest {
  readonly #scope: CompileScope
  readonly #protocol: Protocol
  readonly #runner: RequestRunner
  readonly #counter: StepCounter
  readonly #assertion: CompiledAssertion | undefined
  readonly #exports: CompiledExports | undefined
  readonly #stops: boolean
  readonly #type: string
  readonly #renders: boolean | undefined
  readonly #countTagged: CountTagged | undefined

  constructor(step: RequestStep, protocol: Protocol, runner: RequestRunner, scope: CompileScope, where: string) {
    const { workshop } = scope
    this.#scope = scope
    this.#protocol = protocol
    this.#runner = runner
    this.#type = step.type
    this.#renders = step.renderResponses
    const { faults } = workshop
    this.#assertion = step.assert === undefined ? undefined : compileAssertion(step.assert, `${where}.assert`, faults)
    this.#exports = step.export === undefined ? undefined : compileExports(step.export, `${where}.export`, faults)
    this.#counter = new StepCounter(workshop.recorder, scope, step.name, this.#assertion?.checks ?? [], where, faults)
    this.#countTagged = compileTags(step.tags, workshop.recorder, where, faults)
    this.#stops = (step.onFailure ?? scope.onFailure) === 'stop'
  }

  /** Resolves to whether it succeeded. Rejects only for a defect of ours. */
  async run(session: Session): Promise<boolean> {
    const { slots, clock } = this.#scope.workshop
    if (slots !== undefined) await takeSlot(session, slots, clock)
    if (session.over) return false
    const { due } = session
    let counted: CountedStep
    let outcome: Outcome
    try {
      counted = this.#counter.of(session.context)
      session.trace?.({ type: 'step', name: counted.name, kind: this.#type })
      session.renderResponses = this.#renders
      outcome = await this.#runner.run(session)
    } catch (error) {
      if (!(error instanceof RenderError)) throw error
      return this.#unsent(session, error)
    }
    this.#runner.receive?.(outcome, session)
    session.ended(outcome.endedAt)
    const failing = judge(session.context, outcome, this.#assertion, this.#exports, this.#protocol.failsFrom)
    recordOutcome(counted, outcome, due, failing)
    this.#countTagged?.(session.context, failing === undefined, outcome.endedAt - due)
    if (outcome.hops.length > 0) this.#recordHops(counted, outcome)
    this.#countChecks(counted, outcome, failing)
    if (session.trace !== undefined) {
      traceOutcome(session, counted.name, outcome, failing, this.#assertion, this.#exports, this.#scope.workshop.mask)
    }
    if (failing === undefined) return true
    this.#failed(session, counted, failing)
    return false
  }

  #failed(session: Session, counted: CountedStep, failing: Failing): void {
    session.failed = true
    if (this.#stops) session.over = true
    const { samples, clock, mask } = this.#scope.workshop
    if (!samples.wants(counted.name, failing.kind)) return
    const at = clock.now()
    const message = failureMessage(failing)
    samples.add(
      sampleOf(
        { scenario: this.#scope.scenario, step: counted.name, kind: failing.kind, at, message },
        session.context,
        mask,
      ),
    )
  }

  #unsent(session: Session, error: RenderError): boolean {
    const counted = this.#counter.orWritten(session.context)
    recordUnsent(counted, session.due)
    session.context.beforeRequest()
    session.ended(performance.now())
    session.trace?.({
      type: 'failure',
      step: counted.name,
      kind: 'render',
      message: this.#scope.workshop.mask.text(error.message),
    })
    this.#failed(session, counted, { kind: 'render', message: error.message, checks: [], exports: [] })
    return false
  }

  #recordHops(counted: CountedStep, outcome: Outcome): void {
    const recorder = this.#counter.redirects(counted)
    for (const hop of outcome.hops) {
      const micros = microsBetween(hop.sentAt, hop.endedAt)
      recorder.record(true, hop.status, micros, micros, hop.bytesIn, hop.bytesOut)
    }
  }

  /** A check that had no response to look at was not made. */
  #countChecks(counted: CountedStep, outcome: Outcome, failing: Failing | undefined): void {
    const { checks, recorder } = counted
    if (checks.length === 0 || outcome.failure !== undefined) return
    const failed = failing?.checks
    let next = 0
    for (let i = 0; i < checks.length; i++) {
      const fails = failed !== undefined && failed[next]?.index === i
      if (fails) next++
      recorder.check(checks[i] ?? 0, !fails)
    }
  }
}

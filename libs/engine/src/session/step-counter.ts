import type { Context } from '@onrush/context/context'
import { RenderError } from '@onrush/context/render-error'
import { compileText } from '@onrush/context/template'
import type { Recorder } from '@onrush/metrics/recorder'
import type { Fault } from '@onrush/protocol/problem'

type StepRecorder = ReturnType<Recorder['step']>

/** A step's row of the metrics, resolved once. */
export interface CountedStep {
  readonly name: string
  readonly recorder: StepRecorder
  /** Index of each check in the recorder. */
  readonly checks: readonly number[]
}

/** Resolved names that a thread keeps; beyond that the recorder itself folds them, so forgetting them is cheap. */
const keptNames = 1000

/** Finds the row of a step, whose name may be a template. */
export class StepCounter {
  readonly #recorder: Recorder
  readonly #scenario: string
  readonly #group: string | undefined
  readonly #checks: readonly string[]
  readonly #written: string
  readonly #render: ((context: Context) => string) | undefined
  readonly #known = new Map<string, CountedStep>()
  #static: CountedStep | undefined = undefined

  constructor(
    recorder: Recorder,
    at: { scenario: string; group: string | undefined },
    name: string,
    checks: readonly string[],
    where: string,
    faults: Fault[],
  ) {
    this.#recorder = recorder
    this.#scenario = at.scenario
    this.#group = at.group
    this.#checks = checks
    this.#written = name
    const template = compileText(name, `${where}.name`, faults)
    if (!template.isStatic) this.#render = context => template.render(context)
  }

  of(context: Context): CountedStep {
    if (this.#render === undefined) {
      this.#static ??= this.#resolve(this.#written)
      return this.#static
    }
    const name = this.#render(context)
    let counted = this.#known.get(name)
    if (counted === undefined) {
      if (this.#known.size >= keptNames) this.#known.clear()
      counted = this.#resolve(name)
      this.#known.set(name, counted)
    }
    return counted
  }

  /** When the name itself refers to nothing, the step is counted under its name as written. */
  orWritten(context: Context): CountedStep {
    try {
      return this.of(context)
    } catch (error) {
      if (!(error instanceof RenderError)) throw error
      return this.#resolve(this.#written)
    }
  }

  /** Followed redirects are requests too: they have a row beside the step's own. */
  redirects(counted: CountedStep): StepRecorder {
    return this.#at(`${counted.name} (redirect)`)
  }

  #resolve(name: string): CountedStep {
    const recorder = this.#at(name)
    return { name, recorder, checks: this.#checks.map(label => recorder.checkIndex(label)) }
  }

  #at(step: string): StepRecorder {
    const at = { scenario: this.#scenario, step }
    return this.#recorder.step(this.#group === undefined ? at : { ...at, group: this.#group })
  }
}

import { compileAssertion } from '@onrush/context/assertion'
import { RenderError } from '@onrush/context/render-error'
import { compileValue } from '@onrush/context/template'
import { check, faultsInWords } from '@onrush/protocol/check'
import { durationMs } from '@onrush/protocol/duration'
import { OnrushError } from '@onrush/protocol/error'
import { HttpStep } from '@onrush/protocol/http-step'
import type { Fault } from '@onrush/protocol/problem'
import type { RepeatStep, RequestStep, Step, WhenStep } from '@onrush/protocol/step'
import type { Session } from '../session/session.ts'
import { choice } from './choose.ts'
import { compileCode } from './code.ts'
import type { RequestFromCode } from './code-session.ts'
import type { CompileScope } from './compile-scope.ts'
import { controlFailed } from './control-failure.ts'
import { groupWithin, timedGroup } from './group.ts'
import { lasting, repeated } from './loops.ts'
import { compilePace } from './pace.ts'
import { compilePause } from './pause.ts'
import { CompiledRequest } from './request.ts'
import { type RunStep, sequence } from './run-step.ts'

/** Faults are added to the workshop's; what is returned beside one is never run. */
export function compileSteps(steps: readonly Step[], scope: CompileScope, where: string): RunStep {
  return sequence(steps.map((step, i) => compileStep(step, scope, `${where}[${i}]`)))
}

function compileStep(step: Step, scope: CompileScope, where: string): RunStep {
  switch (step.type) {
    case 'http':
    case 'sql':
    case 'grpc':
    case 'jsonrpc': {
      const request = compileRequest(step, scope, where)
      return request === undefined ? () => undefined : session => request.run(session)
    }
    case 'pause':
      return compilePause(step, scope.thinkTimes)
    case 'pace':
      return compilePace(step)
    case 'group': {
      const group = groupWithin(scope.group, step.name)
      const steps = compileSteps(step.steps, { ...scope, group }, `${where}.steps`)
      return timedGroup(steps, scope.workshop.recorder.group({ scenario: scope.scenario, group }))
    }
    case 'repeat':
      return repeated(compileSteps(step.steps, scope, `${where}.steps`), compileTimes(step, scope, where))
    case 'during':
      return lasting(compileSteps(step.steps, scope, `${where}.steps`), durationMs(step.for))
    case 'when':
      return compileWhen(step, scope, where)
    case 'choose':
      return choice(
        step.of.map(branch => branch.weight),
        step.of.map((branch, i) => compileSteps(branch.steps, scope, `${where}.of[${i}].steps`)),
      )
    case 'code':
      return compileCode(step, scope, requestFromCode)
    default:
      return step satisfies never
  }
}

function compileRequest(step: RequestStep, scope: CompileScope, where: string): CompiledRequest | undefined {
  const { protocols, faults } = scope.workshop
  const protocol = protocols[step.type]
  if (protocol === undefined) {
    const known = Object.keys(protocols).join(', ')
    faults.push({ path: `${where}.type`, message: `this engine has no "${step.type}" steps; it has: ${known}` })
    return undefined
  }
  const runner = protocol.compile(step, where, faults)
  return runner === undefined ? undefined : new CompiledRequest(step, protocol, runner, scope, where)
}

function compileTimes(step: RepeatStep, scope: CompileScope, where: string): (session: Session) => number {
  const { times } = step
  if (typeof times === 'number') return () => times
  const template = compileValue(times, `${where}.times`, scope.workshop.faults)
  return session => {
    try {
      const found = template.render(session.context)
      const count = Number(found)
      if (Number.isInteger(count) && count >= 0 && found !== null && found !== '') return count
      throw new RenderError(times, `expected a whole number of times, got ${JSON.stringify(found)?.slice(0, 80)}`)
    } catch (error) {
      if (!(error instanceof RenderError)) throw error
      controlFailed(error, session, `repeat ${times}`, scope)
      return 0
    }
  }
}

function compileWhen(step: WhenStep, scope: CompileScope, where: string): RunStep {
  const condition = compileAssertion(step.if, `${where}.if`, scope.workshop.faults)
  const yes = compileSteps(step.then, scope, `${where}.then`)
  const no = compileSteps(step.else ?? [], scope, `${where}.else`)
  return session => (condition.check(session.context).length === 0 ? yes(session) : no(session))
}

/** Requests from code are compiled when they are first made, and kept while there are not too many. */
export function requestFromCode(scope: CompileScope): RequestFromCode {
  const known = new Map<string, CompiledRequest>()
  return (method, name, url, options) => {
    const key = JSON.stringify([method, name, url, options])
    let request = known.get(key)
    if (request === undefined) {
      const faults: Fault[] = []
      // Code is written in JavaScript too, where nothing else says that an option is misspelt.
      const step = check(HttpStep, { ...options, type: 'http', name, url, method })
      const made = step.ok
        ? compileRequest(step.value, { ...scope, workshop: { ...scope.workshop, faults } }, '$')
        : undefined
      if (made === undefined || faults.length > 0) {
        const all = step.ok ? faults : step.faults
        throw new OnrushError('invalid', faultsInWords(`the request "${name}"`, all), { errors: all })
      }
      if (known.size >= 500) known.clear()
      known.set(key, made)
      request = made
    }
    return request
  }
}

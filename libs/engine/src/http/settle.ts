import { Context } from '@onrush/context/context'
import type { Environment } from '@onrush/context/environment'
import { compileJson } from '@onrush/context/json-template'
import { Random } from '@onrush/context/random'
import { RenderError } from '@onrush/context/render-error'
import { compileText, type Template } from '@onrush/context/template'
import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'

/** Compiles the texts of one step. Faults are added under the step's place. */
export interface Settle {
  text(written: string, field: string): Template<string>
  json(written: Json, field: string): Template<string>
  fault(field: string, message: string): void
}

const ofEnvironment = /^\$\._env(?=[.[]|$)/

/**
 * A thread has one environment for all its life, so what refers to nothing else is rendered here, once: a base URL
 * becomes a constant, and a variable that the environment lacks is found before the start.
 */
export function createSettle(environment: Environment, where: string, faults: Fault[]): Settle {
  const context = new Context()
  const variables = { names: [], apply: () => undefined }
  const nobody = { runId: '', worker: '', user: 0, iteration: 0, arrival: 0 }
  context.beginSession({ environment, variables, renderResponses: false }, nobody, new Random(0, 0))

  const settled = (template: Template<string>, source: string, place: string): Template<string> => {
    const onlyEnvironment = template.paths.length > 0 && template.paths.every(path => ofEnvironment.test(path))
    if (template.isStatic || !onlyEnvironment || hasCall(source)) return template
    try {
      const value = template.render(context)
      return { isStatic: true, constant: value, paths: [], render: () => value }
    } catch (error) {
      if (!(error instanceof RenderError)) throw error
      faults.push({ path: place, message: error.message })
      return template
    }
  }
  return {
    text: (written, field) => settled(compileText(written, where + field, faults), written, where + field),
    json: (written, field) =>
      settled(compileJson(written, where + field, faults), JSON.stringify(written), where + field),
    fault: (field, message) => faults.push({ path: where + field, message }),
  }
}

/** A call (`{{uuid()}}`) may give another value each time. */
const hasCall = (source: string): boolean => /\{\{[^}]*\(/.test(source)

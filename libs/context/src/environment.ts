import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import { Context } from './context.ts'
import { Random } from './random.ts'
import { RenderError } from './render-error.ts'
import { createScope, type Scope } from './scope.ts'
import { compileValue } from './template.ts'

/** `_env`, shared by all sessions and read-only, and which of its names are secret. */
export type Environment = {
  readonly values: Scope
  readonly secrets: ReadonlySet<string>
  /** Every text under a secret name. */
  readonly secretTexts: readonly string[]
}

/** Values may refer to earlier ones of the same environment (`{{$._env.host}}/api`); they are rendered once, here. */
export function createEnvironment(
  values: { readonly [name: string]: Json },
  secrets: Iterable<string>,
  faults: Fault[],
): Environment {
  const scope = createScope()
  const marked: ReadonlySet<string> = new Set(secrets)
  const context = new Context()
  const variables = { names: [], apply: () => undefined }
  const globals = { runId: '', worker: '', user: 0, iteration: 0, arrival: 0 }
  const environment = { values: scope, secrets: marked, secretTexts: [] }
  context.beginSession({ environment, variables, renderResponses: false }, globals, new Random(0, 0))
  for (const name of Object.keys(values)) {
    const where = `$._env.${name}`
    const before = faults.length
    const template = compileValue(values[name] ?? null, where, faults)
    const astray = template.paths.find(path => !path.startsWith('$._env'))
    if (astray !== undefined) {
      faults.push({ path: where, message: `an environment refers to itself only ($._env), not to ${astray}` })
    }
    if (faults.length > before) continue
    try {
      scope[name] = template.render(context)
    } catch (error) {
      if (!(error instanceof RenderError)) throw error
      faults.push({ path: where, message: error.message })
    }
  }
  const secretTexts = [...marked].flatMap(name => textsIn(scope[name]))
  return { values: Object.freeze(scope), secrets: marked, secretTexts }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn)
  const text = value === undefined || value === null ? '' : String(value)
  return text === '' ? [] : [text]
}

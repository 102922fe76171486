import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import type { Context } from './context.ts'
import { compileValue } from './template.ts'

/** The variables that a session (`_j`) or a scenario (`_s`) starts with. */
export type Imports = {
  readonly names: readonly string[]
  /** Renders in the order written, so that a later variable may refer to an earlier one. Throws `RenderError`. */
  apply(context: Context, scope: '_s' | '_j'): void
}

export function compileImports(values: { readonly [name: string]: Json }, where: string, faults: Fault[]): Imports {
  const names = Object.keys(values)
  const templates = names.map(name => compileValue(values[name] ?? null, `${where}.${name}`, faults))
  return {
    names,
    apply(context, scope) {
      for (let i = 0; i < names.length; i++) context.export(scope, names[i] ?? '', templates[i]?.render(context))
    },
  }
}

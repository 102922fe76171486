import type { ExportRule, Exports } from '@onrush/protocol/export'
import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import { describeFault } from './column-fault.ts'
import type { Context } from './context.ts'
import { missing } from './missing.ts'
import { compilePath, type Path } from './path.ts'
import { type Change, compileTransform, TransformError } from './transform.ts'

export type ExportFailure = { readonly name: string; readonly path: string; readonly message: string }

export type CompiledExports = {
  readonly names: readonly string[]
  /** All values are read before the first is stored. What was found is stored even if another was not. */
  apply(context: Context): readonly ExportFailure[]
}

type Export = {
  readonly name: string
  readonly scope: '_s' | '_j'
  readonly path: Path
  readonly changes: readonly Change[]
  /** `undefined` for none: JSON has no such value. */
  readonly fallback: Json | undefined
}

const noFailures: readonly ExportFailure[] = Object.freeze([])

export function compileExports(exports: Exports, where: string, faults: Fault[]): CompiledExports {
  const compiled = Object.entries(exports).map(([name, written]) =>
    compileExport(name, written, `${where}.${name}`, faults),
  )
  return {
    names: compiled.map(each => each.name),
    apply(context) {
      let failures: ExportFailure[] | undefined
      const values = compiled.map(each => {
        try {
          return read(each, context)
        } catch (error) {
          if (!(error instanceof TransformError)) throw error
          failures ??= []
          failures.push({ name: each.name, path: each.path.text, message: error.message })
          return missing
        }
      })
      compiled.forEach((each, i) => {
        if (values[i] !== missing) context.export(each.scope, each.name, values[i])
      })
      return failures ?? noFailures
    },
  }
}

function compileExport(name: string, written: string | ExportRule, where: string, faults: Fault[]): Export {
  const rule: ExportRule = typeof written === 'string' ? { path: written } : written
  const path = compilePath(rule.path, typeof written === 'string' ? where : `${where}.path`, faults)
  const transforms =
    rule.transform === undefined ? [] : Array.isArray(rule.transform) ? rule.transform : [rule.transform]
  const changes = transforms.flatMap(transform => {
    try {
      return [compileTransform(transform)]
    } catch (error) {
      const pattern = typeof transform === 'object' ? JSON.stringify(transform) : transform
      faults.push({ path: `${where}.transform`, message: describeFault(error, pattern) })
      return []
    }
  })
  return { name, scope: rule.scope ?? '_s', path, changes, fallback: rule.default }
}

/** The default steps in for a value that is not found and for one that cannot be changed; it is not changed itself. */
function read(rule: Export, context: Context): unknown {
  const found = rule.path.read(context)
  if (found === missing) {
    if (rule.fallback !== undefined) return rule.fallback
    throw new TransformError(`${rule.path.text} finds nothing`)
  }
  try {
    return rule.changes.reduce<unknown>((value, change) => change(value), found)
  } catch (error) {
    if (error instanceof TransformError && rule.fallback !== undefined) return rule.fallback
    if (error instanceof TransformError) throw new TransformError(`${rule.path.text}: ${error.message}`)
    throw error
  }
}

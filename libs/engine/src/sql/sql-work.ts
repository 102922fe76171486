import type { Context } from '@onrush/context/context'
import { RenderError } from '@onrush/context/render-error'
import { compileText, compileValue, type Template } from '@onrush/context/template'
import type { Fault } from '@onrush/protocol/problem'
import type { SqlConnection, SqlStep } from '@onrush/protocol/sql-step'
import type { Binding } from './binding.ts'
import { type Scanned, scanStatement } from './placeholders.ts'

export interface Statement {
  /** As the script has it. */
  readonly written: string
  /** As the driver gets it. */
  readonly text: string
  readonly params: readonly unknown[]
  readonly values: readonly unknown[]
}

/** What a step is to do, rendered: one statement, or several in one transaction. */
export interface Work {
  readonly statements: readonly Statement[]
  readonly isTransaction: boolean
}

export interface CompiledWork {
  /** Throws `RenderError`. */
  render(context: Context): Work
}

type Written = { readonly query: string; readonly params?: SqlStep['params']; readonly raw?: boolean | undefined }

const kept = 1000

export function compileWork(
  step: SqlStep,
  client: SqlConnection['client'],
  bind: Binding,
  where: string,
  faults: Fault[],
): CompiledWork {
  const { query, params, raw, transaction } = step
  const isTransaction = transaction !== undefined
  const written: readonly Written[] = transaction ?? [{ query: query ?? '', params, raw }]
  const statements = written.map((each, i) =>
    compileStatement(each, client, bind, isTransaction ? `${where}.transaction[${i}]` : where, faults),
  )
  const [only] = statements
  if (statements.length === 1 && only !== undefined) {
    return { render: context => ({ statements: [only(context)], isTransaction }) }
  }
  return { render: context => ({ statements: statements.map(render => render(context)), isTransaction }) }
}

function compileStatement(
  { query, params = [], raw = false }: Written,
  client: SqlConnection['client'],
  bind: Binding,
  where: string,
  faults: Fault[],
): (context: Context) => Statement {
  const values = compileValue(params, `${where}.params`, faults)
  const scanned = raw ? scannedLate(query, client, params.length, where, faults) : undefined
  const fixed = raw ? undefined : scanFixed(query, client, params.length, `${where}.query`, faults)
  const constant = values.isStatic ? bind(asList(values.constant)) : undefined
  return context => {
    const rendered = asList(values.isStatic ? values.constant : values.render(context))
    const { written, text } = fixed ?? scanned?.(context) ?? { written: query, text: query }
    return { written, text, params: rendered, values: constant ?? bind(rendered) }
  }
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function scanFixed(query: string, client: SqlConnection['client'], given: number, where: string, faults: Fault[]) {
  if (query.includes('{{')) {
    const message =
      'expected a statement without templates: write ? and give the value in "params", which cannot be misused; "raw": true allows templates in the text'
    faults.push({ path: where, message })
  }
  const scanned = scanStatement(client, query)
  const wrong = wrongCount(scanned, given, client)
  if (wrong !== undefined) faults.push({ path: where, message: wrong })
  return { written: query, text: scanned.text }
}

/** A text that is rendered is looked through when it is known; the same one only once. */
function scannedLate(query: string, client: SqlConnection['client'], given: number, where: string, faults: Fault[]) {
  const template: Template<string> = compileText(query, `${where}.query`, faults)
  const known = new Map<string, Scanned>()
  return (context: Context) => {
    const written = template.render(context)
    let scanned = known.get(written)
    if (scanned === undefined) {
      scanned = scanStatement(client, written)
      if (known.size >= kept) known.clear()
      known.set(written, scanned)
    }
    const wrong = wrongCount(scanned, given, client)
    if (wrong !== undefined) throw new RenderError(query, wrong)
    return { written, text: scanned.text }
  }
}

/** MariaDB's driver does not notice, and would send one value as another. */
function wrongCount({ values, fault }: Scanned, given: number, client: SqlConnection['client']): string | undefined {
  if (fault !== undefined) return fault
  if (values === undefined || values === given) return undefined
  const operator = client === 'pg' ? '; an operator with a question mark is written \\?' : ''
  return `expected one of "params" for each value: the statement takes ${values}, "params" has ${given}${operator}`
}

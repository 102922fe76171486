import type { Assertion } from '@onrush/protocol/assertion'
import type { Fault } from '@onrush/protocol/problem'
import { type Check, compileLogicCheck, compilePathChecks } from './check.ts'
import type { Context } from './context.ts'
import { cut } from './cut.ts'

export type CheckFailure = {
  /** Which of `checks`. */
  readonly index: number
  readonly path: string
  readonly operator: string
  /** As text, cut to a safe length. */
  readonly expected: string
  readonly actual: string
}

export type CompiledAssertion = {
  /** One stable key per check, as written in the script: `$.status $eq 200`. Unique within the assertion. */
  readonly checks: readonly string[]
  /** True when a check reads `$.status` (then the engine's own rule for statuses from 400 does not apply). */
  readonly readsStatus: boolean
  /** Every check is made; those that failed, in order, each at most once. Passing builds nothing (V8 boxes a fraction it reads: 16 bytes). Never throws. */
  check(context: Context): readonly CheckFailure[]
}

const noFailures: readonly CheckFailure[] = Object.freeze([])

export function compileAssertion(assertion: Assertion, where: string, faults: Fault[]): CompiledAssertion {
  const checks: Check[] = Object.entries(assertion).flatMap(([key, condition]) => {
    const place = `${where}[${JSON.stringify(key)}]`
    return isLogic(key)
      ? [compileLogicCheck(key, condition, place, faults, compileAssertion)]
      : compilePathChecks(key, condition, place, faults)
  })
  const holds = checks.map(check => check.holds)
  const allHold = conjunction(holds)
  return {
    checks: uniqueKeys(checks),
    readsStatus: checks.some(check => check.readsStatus),
    check: context => (allHold(context) ? noFailures : failuresOf(checks, context)),
  }
}

type Holds = (context: Context) => boolean

/** Four at a time without a loop: a third of the time of one call site that sees every check. */
function conjunction(holds: readonly Holds[]): Holds {
  const [a, b, c, d, ...rest] = holds
  if (a === undefined) return () => true
  if (b === undefined) return a
  if (c === undefined) return context => a(context) && b(context)
  if (d === undefined) return context => a(context) && b(context) && c(context)
  if (rest.length === 0) return context => a(context) && b(context) && c(context) && d(context)
  const others = conjunction(rest)
  return context => a(context) && b(context) && c(context) && d(context) && others(context)
}

function failuresOf(checks: readonly Check[], context: Context): CheckFailure[] {
  return checks.flatMap((check, index) => {
    if (check.holds(context)) return []
    const { path, operator } = check
    return [{ index, path, operator, ...check.describe(context) }]
  })
}

function isLogic(key: string): key is '$and' | '$or' | '$nor' | '$not' {
  return key === '$and' || key === '$or' || key === '$nor' || key === '$not'
}

const longestKey = 120

function uniqueKeys(checks: readonly Check[]): string[] {
  const seen = new Set<string>()
  return checks.map(check => {
    const base = `${check.path} ${check.operator} ${cut(check.argument, longestKey)}`
      .slice(0, longestKey)
      .toWellFormed()
    let key = base
    for (let n = 2; seen.has(key); n++) key = `${base} (${n})`
    seen.add(key)
    return key
  })
}

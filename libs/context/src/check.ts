import type { Assertion } from '@onrush/protocol/assertion'
import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import type { CompiledAssertion } from './assertion.ts'
import { type Condition, compileConditions } from './condition.ts'
import type { Context } from './context.ts'
import { cut, longestCut } from './cut.ts'
import { missing } from './missing.ts'
import { compilePath, type Path } from './path.ts'
import { RenderError } from './render-error.ts'
import { holdsSecret } from './secret.ts'

type Description = { readonly expected: string; readonly actual: string }

export type Check = {
  readonly path: string
  readonly operator: string
  /** As written in the script. */
  readonly argument: Json
  readonly readsStatus: boolean
  /** Never throws: a reference that finds nothing is a check that failed. */
  holds(context: Context): boolean
  describe(context: Context): Description
}

/** A search that matches nothing is an empty list, except to `$exists`. */
const noMatches: readonly unknown[] = Object.freeze([])

export function compilePathChecks(text: string, condition: Json, where: string, faults: Fault[]): Check[] {
  const path = compilePath(text, where, faults)
  return compileConditions(condition, where, faults).map(each => {
    const read = readFor(path, each.operator)
    return {
      path: text,
      operator: each.operator,
      argument: each.argument,
      readsStatus: path.root === 'status',
      holds: fuse(read, each),
      describe: context => describe(each, read, context),
    }
  })
}

function readFor(path: Path, operator: string): Path['read'] {
  if (path.definite || operator === '$exists') return path.read
  return context => {
    const found = path.read(context)
    return found === missing ? noMatches : found
  }
}

/** Read and test in one closure: a call less for each check of each response. */
function fuse(read: Path['read'], { equals, test, throws }: Condition): Check['holds'] {
  if (equals !== undefined) return context => read(context) === equals
  if (!throws) return context => test(read(context), context)
  return context => {
    try {
      return test(read(context), context)
    } catch (error) {
      if (error instanceof RenderError) return false
      throw error
    }
  }
}

function describe({ expected, test, argument }: Condition, read: Path['read'], context: Context): Description {
  try {
    const actual = read(context)
    // Once more for its error, if it has one.
    test(actual, context)
    return { expected: show(expected.render(context), context), actual: show(actual, context) }
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    return { expected: cut(argument), actual: error.message.slice(0, longestCut) }
  }
}

/** Failures are kept, sent and printed: no secret of the environment may be among what they show. */
function show(value: unknown, context: Context): string {
  return holdsSecret(value, context.environment) ? '(holds a secret)' : cut(value)
}

type Compile = (assertion: Assertion, where: string, faults: Fault[]) => CompiledAssertion

/** `$and`, `$or`, `$nor` over assertions and `$not` of one: a single check. */
export function compileLogicCheck(
  operator: '$and' | '$or' | '$nor' | '$not',
  argument: Json,
  where: string,
  faults: Fault[],
  compile: Compile,
): Check {
  const given = Array.isArray(argument) ? argument : [argument]
  const parts = given.map((each, i) => compile(isAssertion(each) ? each : {}, `${where}[${i}]`, faults))
  const passes = (part: CompiledAssertion, context: Context): boolean => part.check(context).length === 0
  const count = (context: Context): number => parts.filter(part => passes(part, context)).length
  const wanted: { readonly [operator in typeof operator]: (passed: number) => boolean } = {
    $and: passed => passed === parts.length,
    $or: passed => passed > 0,
    $nor: passed => passed === 0,
    $not: passed => passed === 0,
  }
  const holds = wanted[operator]
  return {
    path: '$',
    operator,
    argument,
    readsStatus: parts.some(part => part.readsStatus),
    holds: context => holds(count(context)),
    describe: context => ({ expected: cut(argument), actual: `${count(context)} of ${parts.length} held` }),
  }
}

function isAssertion(value: Json): value is Assertion {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import { suggest } from '@onrush/protocol/nearest'
import { ColumnFault } from './column-fault.ts'
import type { Context } from './context.ts'
import { findFunction, functionNames } from './functions/all.ts'
import { missing } from './missing.ts'
import { pathOf } from './path.ts'
import { readPath } from './path-syntax.ts'
import { readQuoted } from './quoted.ts'
import { Random } from './random.ts'
import { notFound, RenderError } from './render-error.ts'
import { skipSpace } from './space.ts'

/**
 * What stands between `{{` and `}}`:
 *   expression = term { "??" term }
 *   term       = path | literal | name "(" [ expression { "," expression } ] ")"
 */
export type Expression = {
  readonly text: string
  /** Set when it is the same each time. */
  readonly constant?: unknown
  readonly isConstant: boolean
  readonly paths: readonly string[]
  /** The value, or `missing` where a reference found nothing and no default followed. */
  read(context: Context): unknown
}

const name = /[a-zA-Z_]\w*/y
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
])
const deepest = 20

function constantOf(text: string, constant: unknown): Expression {
  return { text, constant, isConstant: true, paths: [], read: () => constant }
}

/** Throws `ColumnFault`. `end` is where the expression stops. */
export function readExpression(text: string, start: number, depth = 0): { expression: Expression; end: number } {
  if (depth > deepest) throw new ColumnFault(`calls may nest ${deepest} deep`, start)
  const first = readTerm(text, skipSpace(text, start), depth)
  const terms = [first.expression]
  let end = first.end
  for (;;) {
    const at = skipSpace(text, end)
    if (!text.startsWith('??', at)) break
    const next = readTerm(text, skipSpace(text, at + 2), depth)
    terms.push(next.expression)
    end = next.end
  }
  return { expression: terms.length === 1 ? first.expression : firstFound(terms, text.slice(start, end).trim()), end }
}

/** `??` steps in for what is not found and for null, as JavaScript's does. */
function firstFound(terms: readonly Expression[], text: string): Expression {
  const paths = terms.flatMap(term => term.paths)
  const reads = terms.map(term => term.read)
  const read = (context: Context): unknown => {
    let value: unknown = missing
    for (const next of reads) {
      value = next(context)
      if (value !== missing && value !== null) break
    }
    return value
  }
  return { text, isConstant: false, paths, read }
}

function readTerm(text: string, start: number, depth: number): { expression: Expression; end: number } {
  const char = text[start] ?? ''
  if (char === '$') {
    const { segments, end } = readPath(text, start)
    const written = text.slice(start, end)
    try {
      return {
        expression: { text: written, isConstant: false, paths: [written], read: pathOf(written, segments).read },
        end,
      }
    } catch (error) {
      if (error instanceof ColumnFault) throw new ColumnFault(error.message, start + error.column - 1)
      throw error
    }
  }
  if (char === "'" || char === '"') {
    const { value, end } = readQuoted(text, start)
    return { expression: constantOf(text.slice(start, end), value), end }
  }
  number.lastIndex = start
  const digits = number.exec(text)?.[0]
  if (digits !== undefined) return { expression: constantOf(digits, Number(digits)), end: start + digits.length }
  name.lastIndex = start
  const word = name.exec(text)?.[0]
  if (word === undefined) {
    throw new ColumnFault("expected a reference like $._s.name, a call like uuid(), a number or 'a text'", start)
  }
  const after = skipSpace(text, start + word.length)
  if (text[after] === '(') return readCall(text, start, word, after, depth)
  if (words.has(word)) return { expression: constantOf(word, words.get(word)), end: start + word.length }
  const hint = findFunction(word) === undefined ? `references start with "$." like $._s.${word}` : `write ${word}()`
  throw new ColumnFault(`"${word}" is neither a reference nor a call (${hint})`, start)
}

function readCall(
  text: string,
  start: number,
  word: string,
  open: number,
  depth: number,
): { expression: Expression; end: number } {
  const builtIn = findFunction(word)
  if (builtIn === undefined)
    throw new ColumnFault(`unknown function "${word}" (${suggest(word, functionNames)})`, start)
  const given: Expression[] = []
  let at = skipSpace(text, open + 1)
  if (text[at] === ')') at++
  else {
    for (;;) {
      const next = readExpression(text, at, depth + 1)
      given.push(next.expression)
      at = skipSpace(text, next.end)
      if (text[at] === ')') {
        at++
        break
      }
      if (text[at] !== ',') throw new ColumnFault('expected "," or ")"', at)
      at++
    }
  }
  const [least, most] = builtIn.arity
  if (given.length < least || given.length > most) {
    throw new ColumnFault(
      `expected ${builtIn.usage}, got ${given.length} argument${given.length === 1 ? '' : 's'}`,
      start,
    )
  }
  return { expression: call(text.slice(start, at), start, builtIn, given), end: at }
}

type BuiltIn = NonNullable<ReturnType<typeof findFunction>>

function call(text: string, start: number, builtIn: BuiltIn, given: readonly Expression[]): Expression {
  const run = (values: readonly unknown[], random: Random): unknown => {
    try {
      return builtIn.call(values, random)
    } catch (error) {
      if (error instanceof RenderError)
        throw new RenderError(text, `${text}: ${error.message}; expected ${builtIn.usage}`)
      throw error
    }
  }
  const paths = given.flatMap(each => each.paths)
  if (given.every(each => each.isConstant)) {
    const values = given.map(each => each.constant)
    let result: unknown
    try {
      // A call of literals that cannot work is found now and not by ten thousand sessions.
      result = run(values, new Random(0, 0))
    } catch (error) {
      if (error instanceof RenderError) throw new ColumnFault(error.message, start)
      throw error
    }
    if (builtIn.pure) return constantOf(text, result)
    return { text, isConstant: false, paths, read: context => run(values, context.random) }
  }
  const read = (context: Context): unknown => {
    const values = given.map(each => {
      const value = each.read(context)
      if (value === missing) throw notFound(each.text)
      return value
    })
    return run(values, context.random)
  }
  return { text, isConstant: false, paths, read }
}

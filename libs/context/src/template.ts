import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import { describeFault } from './column-fault.ts'
import type { Context } from './context.ts'
import type { Expression } from './expression.ts'
import { joinTexts } from './join.ts'
import { missing } from './missing.ts'
import { notFound } from './render-error.ts'
import { type Pieces, parseTemplate } from './template-syntax.ts'
import { toText } from './text.ts'

export type Template<T> = {
  /** True when it holds no reference and no call: it renders to the same value each time and can be built once. */
  readonly isStatic: boolean
  /** That value. */
  readonly constant: T | undefined
  /** The paths it reads, as written. */
  readonly paths: readonly string[]
  /** Throws `RenderError` when a reference without a default finds nothing. */
  render(context: Context): T
}

export function constant<T>(value: T): Template<T> {
  return { isStatic: true, constant: value, paths: [], render: () => value }
}

export function dynamic<T>(paths: readonly string[], render: (context: Context) => T): Template<T> {
  return { isStatic: false, constant: undefined, paths, render }
}

export function piecesOf(text: string, where: string, faults: Fault[]): Pieces {
  if (!text.includes('{{')) return { texts: [text], expressions: [] }
  try {
    return parseTemplate(text)
  } catch (error) {
    faults.push({ path: where, message: describeFault(error, text) })
    return { texts: [text], expressions: [] }
  }
}

/** A string that stays a string: a URL, a header, a query. Faults are added to `faults`, with `where` as their place. */
export function compileText(text: string, where: string, faults: Fault[]): Template<string> {
  return textTemplate(piecesOf(text, where, faults))
}

export function textTemplate({ texts, expressions }: Pieces): Template<string> {
  if (expressions.every(each => each.isConstant)) {
    return constant(texts.reduce((before, text, i) => before + toText(expressions[i - 1]?.constant) + text))
  }
  return dynamic(
    expressions.flatMap(each => each.paths),
    joinTexts(texts, expressions),
  )
}

/** The one expression that is the whole of a string, whose value keeps its type. */
export function whole({ texts, expressions }: Pieces): Expression | undefined {
  return expressions.length === 1 && texts.every(text => text === '') ? expressions[0] : undefined
}

function found(expression: Expression, context: Context): unknown {
  const value = expression.read(context)
  if (value === missing) throw notFound(expression.text)
  return value
}

/** Any JSON value; a string that is one reference takes the type of what it finds. Parts without references are shared. */
export function compileValue(value: Json, where: string, faults: Fault[]): Template<unknown> {
  if (typeof value === 'string') {
    const pieces = piecesOf(value, where, faults)
    const only = whole(pieces)
    if (only === undefined) return textTemplate(pieces)
    return only.isConstant ? constant(only.constant) : dynamic(only.paths, context => found(only, context))
  }
  if (Array.isArray(value)) {
    const items = value.map((item, i) => compileValue(item, `${where}[${i}]`, faults))
    if (items.every(item => item.isStatic)) return constant(items.map(item => item.constant))
    return dynamic(pathsOf(items), context => items.map(item => item.render(context)))
  }
  if (typeof value === 'object' && value !== null) {
    const names = Object.keys(value)
    const items = names.map(name => compileValue(value[name] ?? null, `${where}.${name}`, faults))
    // From entries, so that a key `__proto__` is a key.
    const build = (of: (item: Template<unknown>) => unknown): unknown =>
      Object.fromEntries(items.map((item, i) => [names[i] ?? '', of(item)]))
    if (items.every(item => item.isStatic)) return constant(build(item => item.constant))
    return dynamic(pathsOf(items), context => build(item => item.render(context)))
  }
  return constant(value)
}

function pathsOf(items: readonly Template<unknown>[]): string[] {
  return items.flatMap(item => item.paths)
}

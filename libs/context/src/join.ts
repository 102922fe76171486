import type { Context } from './context.ts'
import type { Expression } from './expression.ts'
import { missing } from './missing.ts'
import { notFound } from './render-error.ts'
import { toText } from './text.ts'

/**
 * Texts with values between them. One and two values, nearly all of what scripts hold, have their own closures: V8
 * inlines those, and a loop over two lists costs three times as much.
 */
export function joinPieces(
  texts: readonly string[],
  expressions: readonly Expression[],
  write: (value: unknown) => string,
): (context: Context) => string {
  const [a = '', b = '', c = ''] = texts
  const [first, second] = expressions
  const written = (value: unknown, expression: Expression): string => {
    if (value === missing) throw notFound(expression.text)
    return write(value)
  }
  if (first === undefined) return () => a
  const readFirst = first.read
  if (second === undefined) return context => a + written(readFirst(context), first) + b
  const readSecond = second.read
  if (expressions.length === 2) {
    return context => a + written(readFirst(context), first) + b + written(readSecond(context), second) + c
  }
  return context => {
    let text = a
    for (let i = 0; i < expressions.length; i++) {
      const expression = expressions[i] ?? first
      text += written(expression.read(context), expression) + texts[i + 1]
    }
    return text
  }
}

/** As above, for text: a value that is text already goes in as it is, without a call. */
export function joinTexts(texts: readonly string[], expressions: readonly Expression[]): (context: Context) => string {
  const [a = '', b = '', c = ''] = texts
  const [first, second] = expressions
  const written = (value: unknown, expression: Expression): string => {
    if (value === missing) throw notFound(expression.text)
    return toText(value)
  }
  if (first === undefined || expressions.length > 2) return joinPieces(texts, expressions, toText)
  const readFirst = first.read
  if (second === undefined) {
    return context => {
      const value = readFirst(context)
      return a + (typeof value === 'string' ? value : written(value, first)) + b
    }
  }
  const readSecond = second.read
  return context => {
    const value = readFirst(context)
    const other = readSecond(context)
    const start = a + (typeof value === 'string' ? value : written(value, first)) + b
    return start + (typeof other === 'string' ? other : written(other, second)) + c
  }
}

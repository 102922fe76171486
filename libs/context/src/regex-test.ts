import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import { ColumnFault, describeFault } from './column-fault.ts'
import { missing } from './missing.ts'
import { compileMatcher } from './pattern.ts'
import { notFound, RenderError } from './render-error.ts'
import { parseTemplate } from './template-syntax.ts'
import { never, type Test } from './test.ts'
import { toText } from './text.ts'

/** References in a pattern stand for the text itself: what they bring is escaped, and so adds no pattern of its own. */
export function compileRegex(argument: Json, where: string, faults: Fault[]): Test {
  if (typeof argument !== 'string') {
    faults.push({ path: where, message: 'expected a regular expression as text' })
    return never
  }
  try {
    const { texts, expressions } = argument.includes('{{')
      ? parseTemplate(argument)
      : { texts: [argument], expressions: [] }
    if (expressions.length === 0) {
      const pattern = compileMatcher(texts[0] ?? '')
      return actual => typeof actual === 'string' && pattern.test(actual)
    }
    compileMatcher(texts.join('x'))
    // A session's value often repeats: the last pattern is kept.
    let last: { readonly source: string; readonly pattern: RegExp } | undefined
    return (actual, context) => {
      if (typeof actual !== 'string') return false
      const source = texts.reduce((before, text, i) => {
        const expression = expressions[i - 1]
        const value = expression?.read(context)
        if (value === missing) throw notFound(expression?.text ?? '')
        return `${before}${RegExp.escape(toText(value))}${text}`
      })
      if (last?.source !== source) last = { source, pattern: compileFilled(source) }
      return last.pattern.test(actual)
    }
  } catch (error) {
    faults.push({ path: where, message: describeFault(error, argument) })
    return never
  }
}

function compileFilled(source: string): RegExp {
  try {
    return compileMatcher(source)
  } catch (error) {
    if (error instanceof ColumnFault) throw new RenderError('$regex', `the pattern cannot be used: ${error.message}`)
    throw error
  }
}

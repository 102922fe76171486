import { ColumnFault } from './column-fault.ts'
import { type Expression, readExpression } from './expression.ts'
import { skipSpace } from './space.ts'

/** Text and expressions in turn: as many expressions as texts less one. */
export type Pieces = { readonly texts: readonly string[]; readonly expressions: readonly Expression[] }

/** Throws `ColumnFault`. A backslash before `{{` makes it text: `\{{`. */
export function parseTemplate(text: string): Pieces {
  const texts: string[] = []
  const expressions: Expression[] = []
  let literal = ''
  let at = 0
  for (;;) {
    const open = text.indexOf('{{', at)
    if (open < 0) break
    if (text[open - 1] === '\\' && open > at) {
      literal += `${text.slice(at, open - 1)}{{`
      at = open + 2
      continue
    }
    const { expression, end } = readExpression(text, open + 2)
    const close = skipSpace(text, end)
    if (!text.startsWith('}}', close)) {
      throw new ColumnFault(
        `expected "}}" (a literal {{ is written \\{{), got ${JSON.stringify(text[close] ?? 'the end')}`,
        close,
      )
    }
    literal += text.slice(at, open)
    at = close + 2
    if (expression.isConstant && typeof expression.constant === 'string') {
      literal += expression.constant
    } else {
      texts.push(literal)
      expressions.push(expression)
      literal = ''
    }
  }
  texts.push(literal + text.slice(at))
  return { texts, expressions }
}

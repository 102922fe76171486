import type { SqlConnection } from '@onrush/protocol/sql-step'

type Client = SqlConnection['client']

export interface Scanned {
  /** As the driver wants it. */
  readonly text: string
  /** How many values it takes; `undefined` when it names or numbers them in a way that only the database counts. */
  readonly values: number | undefined
  /** Why it cannot be used. */
  readonly fault: string | undefined
}

/**
 * What a question mark or a dollar sign means depends on where it stands: in a text, a quoted name or a comment it is a
 * character. These match what is skipped, and what takes a value.
 */
const tokens: { readonly [C in Client]: RegExp } = {
  pg: /(?<![\w$])[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*|(?<![\w$])\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$|(?<![\w$])\$\d+|\\?\?/gs,
  mysql2: /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`(?:[^`]|``)*`|--(?=\s|$)[^\n]*|#[^\n]*|\/\*.*?\*\/|\?/gs,
  'better-sqlite3':
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*.*?(?:\*\/|$)|\?\d+|\?|(?<!\w)[:@$]\w+/gs,
}

export function scanStatement(client: Client, text: string): Scanned {
  return client === 'pg' ? scanPostgres(text) : scanOther(client, text)
}

function scanOther(client: Client, text: string): Scanned {
  let values = 0
  let fault: string | undefined
  for (const [token] of text.matchAll(tokens[client])) {
    if (token === '?') values++
    else if (client === 'better-sqlite3' && /^[?:@$]/.test(token)) {
      fault = `expected ? for each value, in the order of "params", got ${token}`
    }
  }
  return { text, values, fault }
}

/** Question marks become `$1`, `$2`, …; where a statement has `$1` itself, they are operators. `\?` always is one. */
function scanPostgres(text: string): Scanned {
  const pattern = new RegExp(tokens.pg)
  const marks: number[] = []
  const escaped: number[] = []
  let numbered = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [token] = found
    if (token === '?') marks.push(found.index)
    else if (token === '\\?') escaped.push(found.index)
    else if (token === '/*') pattern.lastIndex = endOfComment(text, found.index)
    else if (/^\$\d/.test(token)) numbered = Math.max(numbered, Number(token.slice(1)))
    else if (token.startsWith('$')) {
      const end = text.indexOf(token, pattern.lastIndex)
      pattern.lastIndex = end === -1 ? text.length : end + token.length
    }
  }
  const edits = [
    ...escaped.map(at => ({ at, length: 2, put: '?' })),
    ...(numbered > 0 ? [] : marks.map((at, i) => ({ at, length: 1, put: `$${i + 1}` }))),
  ].sort((a, b) => a.at - b.at)
  let written = ''
  let from = 0
  for (const { at, length, put } of edits) {
    written += text.slice(from, at) + put
    from = at + length
  }
  return { text: written + text.slice(from), values: numbered || marks.length, fault: undefined }
}

/** Comments nest in PostgreSQL. */
function endOfComment(text: string, start: number): number {
  const edges = /\/\*|\*\//g
  edges.lastIndex = start
  let depth = 0
  for (let found = edges.exec(text); found !== null; found = edges.exec(text)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return edges.lastIndex
  }
  return text.length
}

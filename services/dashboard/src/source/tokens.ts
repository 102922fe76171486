export type TokenKind = 'comment' | 'text' | 'name' | 'keyword' | 'number'
export interface Token {
  readonly text: string
  /** Left out where it is nothing of note. */
  readonly kind?: TokenKind
}

const words =
  'as|async|await|break|case|catch|class|const|continue|default|do|else|export|extends|false|finally|for|from|function|if|import|in|instanceof|interface|let|new|null|of|readonly|return|satisfies|static|switch|this|throw|true|try|type|typeof|undefined|var|void|while|yield'
const number = /(?<![\w$.])-?(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)n?(?![\w$])/
const quoted = /"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?/

/** One expression for each language, tried from where the last token ended; an open text or comment ends with its line or the file. */
const module = new RegExp(
  `(?<comment>//[^\\n]*|/\\*[^]*?(?:\\*/|$))|(?<text>${quoted.source}|\`(?:\\\\[^]|[^\`\\\\])*\`?)|(?<keyword>(?<![\\w$.])(?:${words})(?![\\w$]))|(?<number>${number.source})`,
  'g',
)
const data = new RegExp(
  `(?<comment>(?<![^\\s])#[^\\n]*)|(?<name>"(?:\\\\.|[^"\\\\\\n])*"(?=\\s*:)|(?=[\\w$])(?<=^[ \\t]*(?:- +)*|[{,] *)[\\w$.-]+(?=:(?:\\s|$)))|(?<text>${quoted.source})|(?<keyword>(?<![\\w$.-])(?:true|false|null)(?![\\w$-]))|(?<number>${number.source})`,
  'gm',
)
const kinds = ['comment', 'name', 'text', 'keyword', 'number'] as const

/** A source in lines, each in pieces: enough to see comments, texts and words apart, and nothing that could go wrong. */
export function tokenLines(source: string, file: string): readonly (readonly Token[])[] {
  const lines: Token[][] = [[]]
  const add = (text: string, kind?: TokenKind) => {
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push(kind === undefined ? { text: part } : { text: part, kind })
    }
  }
  const text = source.replaceAll('\r\n', '\n')
  let end = 0
  for (const found of text.matchAll(/\.(?:ya?ml|json)$/i.test(file) ? data : module)) {
    add(text.slice(end, found.index))
    add(
      found[0],
      kinds.find(kind => found.groups?.[kind] !== undefined),
    )
    end = found.index + found[0].length
  }
  add(text.slice(end))
  if (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop()
  return lines
}

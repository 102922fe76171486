import { ColumnFault } from './column-fault.ts'

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
])

/** Reads `'…'` or `"…"` whose quote stands at `start`; escapes are JSON's, and `\'`. `end` is after the closing quote. */
export function readQuoted(text: string, start: number): { value: string; end: number } {
  const quote = text[start]
  let value = ''
  let at = start + 1
  while (at < text.length) {
    const char = text[at] ?? ''
    if (char === quote) return { value, end: at + 1 }
    if (char !== '\\') {
      value += char
      at++
      continue
    }
    const next = text[at + 1] ?? ''
    if (next === 'u') {
      const hex = text.slice(at + 2, at + 6)
      if (!/^[0-9a-f]{4}$/i.test(hex)) throw new ColumnFault('expected four hexadecimal digits after \\u', at)
      value += String.fromCharCode(Number.parseInt(hex, 16))
      at += 6
    } else {
      value += escapes.get(next) ?? next
      at += 2
    }
  }
  throw new ColumnFault(`the text that starts with ${quote} is never closed`, start)
}

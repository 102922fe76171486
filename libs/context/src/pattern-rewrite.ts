import { ColumnFault } from './column-fault.ts'

/*
 * V8's linear engine refuses patterns whose counted repetitions multiply to more than 16, which `[0-9a-f]{32}` does.
 * `x{32}` is `x{16}x{16}` and `x{2,40}` is `x{2}x{0,16}x{0,16}x{0,6}`; so such a repetition is written out in parts, and
 * what is nested in it is given the rest of the 16. A leading `(?i)` is written out too (`a` as `[aA]`), because the engine
 * has no flag for it. Nothing else is touched: look-around and back-references are left for the engine to refuse.
 */
const mostRepeats = 16
const longest = 5000
const counted = /\{(\d{1,6})(?:(,)(\d{1,6})?)?\}/y

export function rewritePattern(source: string, captures: boolean): string {
  const rewriter = new Rewriter(source, captures)
  return rewriter.alternatives(mostRepeats)
}

class Rewriter {
  #at: number
  readonly #source: string
  readonly #captures: boolean
  readonly #ignoreCase: boolean

  constructor(source: string, captures: boolean) {
    this.#source = source
    this.#captures = captures
    this.#ignoreCase = source.startsWith('(?i)')
    this.#at = this.#ignoreCase ? 4 : 0
  }

  /** Until the end or the parenthesis that closes; `room` is how often what stands here may be repeated. */
  alternatives(room: number): string {
    let written = ''
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      written += this.#term(room)
      if (written.length > longest) throw new ColumnFault('the repetitions multiply to more than a pattern can hold', 0)
    }
    return written
  }

  #term(room: number): string {
    const start = this.#at
    const end = this.#skipAtom(start)
    counted.lastIndex = end
    const found = counted.exec(this.#source)
    if (found === null) {
      this.#at = start
      return this.#atom(room, 1)
    }
    const least = Number(found[1])
    const most = found[2] === undefined ? least : found[3] === undefined ? Number.POSITIVE_INFINITY : Number(found[3])
    if (most < least) throw new ColumnFault('the numbers of a repetition are out of order', end)
    const after = end + found[0].length
    const lazy = this.#source[after] === '?' ? '?' : ''
    const highest = most === Number.POSITIVE_INFINITY ? least : most
    const part = Math.min(Math.max(highest, 1), room)
    this.#at = start
    const atom = this.#atom(Math.max(1, Math.floor(room / part)), Math.ceil(highest / part))
    this.#at = after + lazy.length
    if (highest * atom.length > longest * part) {
      throw new ColumnFault('the repetitions multiply to more than a pattern can hold', end)
    }
    if (highest <= part) return atom + found[0] + lazy
    let written = ''
    for (let rest = least; rest > 0; rest -= part) written += `${atom}{${Math.min(part, rest)}}`
    if (most === Number.POSITIVE_INFINITY) return `${written}${atom}*${lazy}`
    // Lazy parts in a row would each give back before the next grows, and prefer another match: those are nested.
    if (lazy !== '') return written + `(?:${atom}`.repeat(most - least) + ')??'.repeat(most - least)
    for (let rest = most - least; rest > 0; rest -= part) written += `${atom}{0,${Math.min(part, rest)}}`
    return written
  }

  /** Reads one atom, and leaves `#at` behind it. `copies` tells whether it will be written more than once. */
  #atom(room: number, copies: number): string {
    const start = this.#at
    const end = this.#skipAtom(start)
    const text = this.#source.slice(start, end)
    this.#at = end
    if (text[0] === '(') {
      const head = /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]*:))?/.exec(text)?.[0] ?? '('
      const captures = head === '(' || /^\(\?<[^=!]/.test(head)
      if (captures && this.#captures && copies > 1) {
        throw new ColumnFault(
          `a group that is repeated more than ${mostRepeats} times cannot capture: write (?:…)`,
          start,
        )
      }
      this.#at = start + head.length
      const inner = this.alternatives(room)
      this.#at = end
      return `${captures && !this.#captures ? '(?:' : head}${inner})`
    }
    if (!this.#ignoreCase) return text
    return text[0] === '[' ? classOfBothCases(text) : bothCases(text)
  }

  #skipAtom(start: number): number {
    const char = this.#source[start]
    if (char === '\\') return start + escapeLength(this.#source, start)
    if (char === '[') {
      for (let i = start + 1; i < this.#source.length; i++) {
        if (this.#source[i] === '\\') i++
        else if (this.#source[i] === ']') return i + 1
      }
      throw new ColumnFault('a class that starts with [ is never closed', start)
    }
    if (char !== '(') return start + 1
    let at = start + 1
    while (at < this.#source.length && this.#source[at] !== ')') at = this.#skipAtom(at)
    if (at >= this.#source.length) throw new ColumnFault('a group that starts with ( is never closed', start)
    return at + 1
  }
}

function escapeLength(source: string, at: number): number {
  const rest = source.slice(at, at + 40)
  return /^\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[a-zA-Z]|k<[^>]*>|.)/su.exec(rest)?.[0].length ?? 1
}

function bothCases(char: string): string {
  if (char.length !== 1) return char
  const lower = char.toLowerCase()
  const upper = char.toUpperCase()
  return lower !== upper && lower.length === 1 && upper.length === 1 ? `[${lower}${upper}]` : char
}

/** Letters and ranges of a class, and the same in the other case. */
function classOfBothCases(text: string): string {
  const body = text.slice(text[1] === '^' ? 2 : 1, -1)
  let added = ''
  for (let i = 0; i < body.length; i++) {
    const char = body[i] ?? ''
    if (char === '\\') {
      i += escapeLength(body, i) - 1
      continue
    }
    const to = body[i + 1] === '-' ? body[i + 2] : undefined
    if (to !== undefined && to !== '\\') {
      added += rangeInOtherCase(char, to)
      i += 2
    } else {
      added += bothCases(char).slice(1, -1)
    }
  }
  return `${text.slice(0, -1)}${added}]`
}

function rangeInOtherCase(from: string, to: string): string {
  const shared = (low: string, high: string, shift: number): string => {
    const first = Math.max(from.charCodeAt(0), low.charCodeAt(0))
    const last = Math.min(to.charCodeAt(0), high.charCodeAt(0))
    return first > last ? '' : `${String.fromCharCode(first + shift)}-${String.fromCharCode(last + shift)}`
  }
  return shared('a', 'z', -32) + shared('A', 'Z', 32)
}

import { ColumnFault } from './column-fault.ts'
import { readQuoted } from './quoted.ts'
import { skipSpace } from './space.ts'

/*
 * The query library evaluates filters as JavaScript expressions without `eval`, yet its language has calls, assignments
 * and regular expressions: `@.x.repeat(1e9)`, `@.list.push(1)`, `@.x.match('(a+)+$')` would all run. So a filter is read
 * by this grammar first, and the library gets only what is written from it: comparisons, arithmetic, and `&& || !`
 * over literals and properties of `@`.
 *
 *   filter = "(" or ")"          or = and { "||" and }        and = comparison { "&&" comparison }
 *   comparison = sum [ op sum ]  sum = unary { + - * / % unary }
 *   unary = "!" unary | "-" unary | "(" or ")" | literal | "@" { .name | [index] | ["name"] }
 */
const identifier = /[\p{L}_][\p{L}\p{N}_]*/uy
const number = /\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?/y
const word = /(?:true|false|null)(?![\p{L}\p{N}_])/uy
const comparison = /===|!==|==|!=|<=|>=|<|>/y
const arithmetic = /[+\-*/%]/y
const index = /\[\s*(\d{1,9})\s*\]/y

/** The library finds brackets and quotes by pattern, also inside quoted text: a text with these would be cut apart. */
const unsafeInText = /[()[\]'"\\\n\r]/
const safeName = /^[\p{L}_][\p{L}\p{N}_ ./-]*$/u
const inherited = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'arguments',
  'caller',
  'callee',
])
const deepest = 20

/** `start` is at the opening parenthesis; `end` is after the closing one. */
export function readFilter(text: string, start: number): { expression: string; end: number } {
  const reader = new FilterReader(text, start)
  const expression = reader.group()
  return { expression, end: reader.at }
}

class FilterReader {
  at: number
  readonly #text: string
  #depth = 0

  constructor(text: string, start: number) {
    this.#text = text
    this.at = start
  }

  group(): string {
    this.#expect('(')
    if (++this.#depth > deepest) throw new ColumnFault(`a filter may nest ${deepest} deep`, this.at)
    const inner = this.#sequence('||', () => this.#sequence('&&', () => this.#comparison()))
    this.#depth--
    this.#expect(')')
    return `(${inner})`
  }

  #sequence(operator: string, operand: () => string): string {
    let expression = operand()
    while (this.#text.startsWith(operator, this.#skip())) {
      this.at += operator.length
      expression += ` ${operator} ${operand()}`
    }
    return expression
  }

  #comparison(): string {
    const left = this.#sum()
    const operator = this.#take(comparison)
    return operator === undefined ? left : `${left} ${operator} ${this.#sum()}`
  }

  #sum(): string {
    let expression = this.#unary()
    for (let operator = this.#take(arithmetic); operator !== undefined; operator = this.#take(arithmetic)) {
      expression += ` ${operator} ${this.#unary()}`
    }
    return expression
  }

  #unary(): string {
    const char = this.#text[this.#skip()]
    if (char === '(') return this.group()
    if (char === '!' || char === '-') {
      this.at++
      if (++this.#depth > deepest) throw new ColumnFault(`a filter may nest ${deepest} deep`, this.at)
      const operand = this.#unary()
      this.#depth--
      return `${char}${operand.startsWith('-') ? ' ' : ''}${operand}`
    }
    if (char === "'" || char === '"') {
      const start = this.at
      const value = this.#quoted()
      if (unsafeInText.test(value)) {
        throw new ColumnFault('a text in a filter cannot hold brackets, quotes, backslashes or line breaks', start)
      }
      return `"${value}"`
    }
    if (char === '@') return this.#property()
    const literal = this.#take(number) ?? this.#take(word)
    if (literal === undefined) {
      throw new ColumnFault("expected @.name, a number, 'a text', true, false or null (filters have no calls)", this.at)
    }
    return literal
  }

  #property(): string {
    this.at++
    let expression = '@'
    for (;;) {
      const char = this.#text[this.at]
      const start = this.at
      if (char === '.') {
        this.at++
        const name = this.#takeHere(identifier)
        if (name === undefined) throw new ColumnFault('expected a name after "."', this.at)
        expression += this.#access(name, start)
      } else if (char === '[') {
        index.lastIndex = this.at
        const found = index.exec(this.#text)
        if (found !== null) {
          this.at += found[0].length
          expression += `[${found[1]}]`
          continue
        }
        this.at++
        this.#skip()
        expression += this.#access(this.#quoted(), start)
        this.#expect(']')
      } else {
        return expression
      }
    }
  }

  #access(name: string, start: number): string {
    if (inherited.has(name))
      throw new ColumnFault(`"${name}" cannot be used in a filter: it is JavaScript's own`, start)
    if (!safeName.test(name)) {
      throw new ColumnFault('a name in a filter may hold letters, digits, _, space, dot, slash and -', start)
    }
    return `["${name}"]`
  }

  #quoted(): string {
    const char = this.#text[this.at]
    if (char !== "'" && char !== '"') throw new ColumnFault("expected 'a text'", this.at)
    const { value, end } = readQuoted(this.#text, this.at)
    this.at = end
    return value
  }

  #skip(): number {
    this.at = skipSpace(this.#text, this.at)
    return this.at
  }

  #expect(char: string): void {
    if (this.#text[this.#skip()] !== char) throw new ColumnFault(`expected "${char}" in the filter`, this.at)
    this.at++
  }

  #take(pattern: RegExp): string | undefined {
    this.#skip()
    return this.#takeHere(pattern)
  }

  #takeHere(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }
}

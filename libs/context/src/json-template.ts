import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import type { Expression } from './expression.ts'
import { joinPieces } from './join.ts'
import { constant, dynamic, piecesOf, type Template, textTemplate, whole } from './template.ts'
import { toJsonText } from './text.ts'

/** Any JSON value rendered straight to JSON text, without building the value: the way to send a JSON body. */
export function compileJson(value: Json, where: string, faults: Fault[]): Template<string> {
  const writer = new JsonWriter(faults)
  writer.write(value, where)
  const { texts, holes } = writer
  if (holes.length === 0) return constant(texts[0] ?? '')
  return dynamic(
    holes.flatMap(hole => hole.paths),
    joinPieces(texts, holes, toJsonText),
  )
}

/** JSON text with holes where a string of the value holds references. */
class JsonWriter {
  readonly texts: string[] = ['']
  readonly holes: Expression[] = []
  readonly #faults: Fault[]

  constructor(faults: Fault[]) {
    this.#faults = faults
  }

  write(value: Json, where: string): void {
    if (typeof value === 'string') this.#string(value, where)
    else if (Array.isArray(value)) this.#list(value, where)
    else if (typeof value === 'object' && value !== null) this.#map(value, where)
    else this.#text(JSON.stringify(value))
  }

  #text(text: string): void {
    this.texts[this.texts.length - 1] += text
  }

  #string(value: string, where: string): void {
    const pieces = piecesOf(value, where, this.#faults)
    const only = whole(pieces)
    if (pieces.expressions.length === 0) {
      this.#text(JSON.stringify(pieces.texts[0] ?? ''))
    } else if (only?.isConstant) {
      this.#text(toJsonText(only.constant))
    } else if (only === undefined && textTemplate(pieces).isStatic) {
      this.#text(toJsonText(textTemplate(pieces).constant))
    } else {
      this.holes.push(only ?? mixed(value, textTemplate(pieces)))
      this.texts.push('')
    }
  }

  #list(list: readonly Json[], where: string): void {
    list.forEach((item, i) => {
      this.#text(i === 0 ? '[' : ',')
      this.write(item, `${where}[${i}]`)
    })
    this.#text(list.length === 0 ? '[]' : ']')
  }

  #map(map: { readonly [key: string]: Json }, where: string): void {
    const names = Object.keys(map)
    names.forEach((name, i) => {
      this.#text(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`)
      this.write(map[name] ?? null, `${where}.${name}`)
    })
    this.#text(names.length === 0 ? '{}' : '}')
  }
}

function mixed(text: string, { paths, render }: Template<string>): Expression {
  return { text, isConstant: false, paths, read: render }
}

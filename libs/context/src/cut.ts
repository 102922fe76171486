import { missing } from './missing.ts'

export const longestCut = 160

/** A value as short text for a failure: never more work than the text is long, however large the value. */
export function cut(value: unknown, most = longestCut): string {
  if (value === missing) return 'nothing'
  const writer = new Writer(most)
  writer.write(value, 0)
  return writer.text.length > most ? `${writer.text.slice(0, most - 1).toWellFormed()}…` : writer.text
}

class Writer {
  text = ''
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  write(value: unknown, depth: number): void {
    if (this.text.length > this.#most) return
    if (typeof value === 'string') this.text += JSON.stringify(value.slice(0, this.#most + 1))
    else if (typeof value !== 'object' || value === null) this.text += String(value)
    else if (depth > 20) this.text += '…'
    else if (Array.isArray(value)) this.#list(value, depth)
    else this.#map(value, depth)
  }

  #list(list: readonly unknown[], depth: number): void {
    this.text += '['
    for (let i = 0; i < list.length && this.text.length <= this.#most; i++) {
      if (i > 0) this.text += ','
      this.write(list[i], depth + 1)
    }
    this.text += ']'
  }

  #map(map: object, depth: number): void {
    let first = true
    this.text += '{'
    for (const key in map) {
      if (!Object.hasOwn(map, key)) continue
      if (this.text.length > this.#most) break
      this.text += `${first ? '' : ','}${JSON.stringify(key.slice(0, this.#most + 1))}:`
      first = false
      this.write((map as Record<string, unknown>)[key], depth + 1)
    }
    this.text += '}'
  }
}

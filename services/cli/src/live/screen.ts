import type { Output } from '../io.ts'
import { widthOf } from '../terminal/width.ts'

// Terminals that know it hold the picture back until it is complete; the others ignore it.
const begin = '\x1b[?2026h\x1b[?25l'
const end = '\x1b[?25h\x1b[?2026l'

/** A block of lines that is drawn over itself, in one write and without clearing first: nothing flickers. */
export class Screen {
  readonly #out: Output
  #lines: readonly string[] = []

  constructor(out: Output) {
    this.#out = out
  }

  /** Back to the block's first line; the terminal may have become narrower and wrapped what was drawn. */
  #home(): string {
    const columns = Math.max(1, this.#out.columns)
    const rows = this.#lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0)
    return rows === 0 ? '' : `\x1b[${rows}A\r`
  }

  draw(lines: readonly string[]): void {
    const picture = lines.map(line => `${line}\x1b[K\n`).join('')
    this.#out.write(`${begin}${this.#home()}${picture}\x1b[J${end}`)
    this.#lines = lines
  }

  /** Text that stays, above the block. */
  print(text: string): void {
    const block = this.#lines
    this.clear()
    this.#out.write(`${text}\n`)
    if (block.length > 0) this.draw(block)
  }

  clear(): void {
    if (this.#lines.length === 0) return
    this.#out.write(`${begin}${this.#home()}\x1b[J${end}`)
    this.#lines = []
  }
}

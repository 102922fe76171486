import type { CompilerMessage } from '@onrush/protocol/monitor'

export type CompilerListener = (message: CompilerMessage) => void

/** Kept of one compile for those who come late; of more, the first and the last lines. */
const mostLines = 2_000

/** What compiles say, as they say it. Whoever comes late hears what the current one has said so far. */
export class CompileLog {
  readonly #listeners = new Set<CompilerListener>()
  #said: CompilerMessage[] = []
  #left = 0
  #over = true

  readonly say = (message: CompilerMessage): void => {
    // What workers say comes after the end, and belongs to it.
    if (this.#over && message.type === 'state' && message.state !== 'idle') {
      this.#said = []
      this.#left = 0
      this.#over = false
    }
    if (message.type === 'state' && message.state === 'idle') this.#over = true
    if (this.#said.length >= mostLines) {
      this.#said.splice(mostLines / 2, 1)
      this.#left++
    }
    this.#said.push(message)
    for (const listener of this.#listeners) listener(message)
  }

  readonly subscribe = (listener: CompilerListener): (() => void) => {
    if (this.#over) listener({ type: 'state', state: 'idle' })
    for (const [i, message] of this.#over ? [] : this.#said.entries()) {
      if (this.#left > 0 && i === mostLines / 2) {
        listener({ type: 'line', level: 'info', text: `… ${this.#left} lines are left out here` })
      }
      listener(message)
    }
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

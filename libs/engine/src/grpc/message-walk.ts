import { jsonPath } from '@onrush/protocol/json-path'
import type { Fault } from '@onrush/protocol/problem'

/** Where in a message we are, and what is wrong with it so far. */
export class MessageWalk {
  readonly faults: Fault[] = []
  readonly path: (string | number)[] = []
  readonly #where: string
  readonly #open: boolean

  /** With `open`, texts that hold templates stand for any value: they are judged when they have been rendered. */
  constructor(where: string, open: boolean) {
    this.#where = where
    this.#open = open
  }

  fault(message: string): undefined {
    this.faults.push({ path: this.#where + jsonPath(this.path).slice(1), message })
    return undefined
  }

  expected(what: string, got: unknown): undefined {
    return this.fault(`expected ${what}, got ${JSON.stringify(got)?.slice(0, 80) ?? 'nothing'}`)
  }

  isOpen(value: unknown): boolean {
    return this.#open && typeof value === 'string' && value.includes('{{')
  }
}

/** Turns a value as scripts write it into what the encoder takes; `undefined` beside a fault. */
export type Convert = (value: unknown, walk: MessageWalk) => unknown

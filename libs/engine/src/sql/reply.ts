import { createScope, type Scope } from '@onrush/context/scope'

/** What a statement came to. `entity` is made when something reads it: most steps look at the status only. */
export interface Reply {
  entity(): unknown
}

/** Rows as they came from a driver, and how one of their values is read. */
export class Rows<Row> implements Reply {
  readonly #columns: readonly string[]
  readonly #rows: readonly Row[]
  readonly #read: (row: Row, column: number) => unknown

  constructor(columns: readonly string[], rows: readonly Row[], read: (row: Row, column: number) => unknown) {
    this.#columns = columns
    this.#rows = rows
    this.#read = read
  }

  entity(): Scope[] {
    return this.#rows.map(row => {
      const map = createScope()
      for (let i = 0; i < this.#columns.length; i++) map[this.#columns[i] ?? ''] = this.#read(row, i) ?? null
      return map
    })
  }
}

/** A statement that gives no rows. */
export class Changed implements Reply {
  readonly affected: number
  readonly insertId: number | string | null

  constructor(affected: number, insertId: number | string | null) {
    this.affected = affected
    this.insertId = insertId
  }

  entity(): Scope {
    return createScope({ affected: this.affected, insertId: this.insertId })
  }
}

export class Replies implements Reply {
  readonly #replies: readonly Reply[]

  constructor(replies: readonly Reply[]) {
    this.#replies = replies
  }

  entity(): unknown[] {
    return this.#replies.map(reply => reply.entity())
  }
}

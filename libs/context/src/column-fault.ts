/** Thrown inside the compilers, turned into a fault at their edge: what is wrong with a text and where in it, from 1. */
export class ColumnFault extends Error {
  readonly column: number

  constructor(message: string, index: number) {
    super(message)
    this.column = index + 1
  }
}

/** The message with its column and the text it is about, cut so that a pasted page stays readable. */
export function describeFault(error: unknown, text: string): string {
  if (!(error instanceof ColumnFault)) throw error
  return `${error.message}, at column ${error.column} of ${JSON.stringify(text.length > 120 ? `${text.slice(0, 119)}…` : text)}`
}

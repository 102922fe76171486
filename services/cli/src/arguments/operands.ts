/** A word that a command takes without a flag before it. */
export interface Operand {
  readonly name: string
  readonly summary: string
  readonly optional?: boolean
  /** Takes all that is left; only the last operand may. */
  readonly many?: boolean
}

export function spell({ name, optional, many }: Operand): string {
  const word = many ? `${name}…` : name
  return optional ? `[${word}]` : `<${word}>`
}

/** What is wrong with the words given, in the order of the operands. */
export function operandProblems(operands: readonly Operand[], words: readonly string[]) {
  const missing = operands.slice(words.length).filter(operand => !operand.optional)
  const room = operands.some(operand => operand.many) ? Number.POSITIVE_INFINITY : operands.length
  return [
    ...missing.map(operand => ({ path: `<${operand.name}>`, message: `expected ${operand.summary}, got nothing` })),
    ...words.slice(room).map(word => ({
      path: word,
      message:
        operands.length === 0 ? 'this command takes no such word; leave it out' : `one word too many; leave it out`,
    })),
  ]
}

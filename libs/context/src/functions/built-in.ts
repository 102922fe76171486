import type { Random } from '../random.ts'

export type BuiltIn = {
  /** As the documentation writes it: `randomInt(low, high)`. */
  readonly usage: string
  readonly arity: readonly [least: number, most: number]
  /** Gives the same for the same arguments, so a call of literals is made once, when the template is compiled. */
  readonly pure: boolean
  /** Throws `RenderError` for arguments it cannot use. */
  call(given: readonly unknown[], random: Random): unknown
}

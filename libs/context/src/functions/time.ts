import { RenderError } from '../render-error.ts'
import { integerAt } from './arguments.ts'
import type { BuiltIn } from './built-in.ts'

function instant(given: readonly unknown[]): number {
  const ms = Date.now() + (given.length === 0 ? 0 : integerAt(given, 0, 'offset'))
  // The span of instants that a Date can hold.
  if (Math.abs(ms) > 8.64e15) throw new RenderError('', `offset ${given[0]} leads out of the calendar`)
  return ms
}

export const now: BuiltIn = {
  usage: 'now([offset in ms])',
  arity: [0, 1],
  pure: false,
  call: given => instant(given),
}

export const timestamp: BuiltIn = {
  usage: 'timestamp([offset in ms])',
  arity: [0, 1],
  pure: false,
  call: given => Math.floor(instant(given) / 1000),
}

export const isoDate: BuiltIn = {
  usage: 'isoDate([offset in ms])',
  arity: [0, 1],
  pure: false,
  call: given => new Date(instant(given)).toISOString(),
}

import { count } from '@onrush/protocol/figures'

/** `1 request`, `12 480 requests`. */
export const some = (number: number, one: string, many: string): string =>
  `${count(number)} ${number === 1 ? one : many}`

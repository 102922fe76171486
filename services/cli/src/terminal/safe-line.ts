import { printable } from '@onrush/report/printable'
import { styling } from './width.ts'

const parts = new RegExp(`(${styling.source})`)

/** One line for a terminal. Names and messages come from scripts and targets: they must not be able to do anything there. */
export function safeLine(line: string): string {
  return line
    .split(parts)
    .map((part, i) => (i % 2 === 1 ? part : printable(part).replaceAll(/[\r\n\t]/g, ' ')))
    .join('')
}

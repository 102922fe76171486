import { printable } from './printable.ts'

/** Text that is markup already. Whatever else comes into a page is escaped on its way. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Content = Html | string | number | false | null | undefined | readonly Content[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  printable(text).replaceAll(/[&<>"']/g, character => entities[character] ?? '')

function write(content: Content): string {
  if (content instanceof Html) return content.text
  if (content === false || content === null || content === undefined) return ''
  if (typeof content === 'object') return content.map(write).join('')
  return escapeHtml(String(content))
}

/** Markup with values in it; attributes must be quoted, and URLs checked, by whoever writes the markup. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(parts.reduce((text, part, i) => text + write(values[i - 1]) + part))
}

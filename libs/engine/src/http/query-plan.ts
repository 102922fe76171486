import type { Context } from '@onrush/context/context'
import type { Template } from '@onrush/context/template'
import type { Settle } from './settle.ts'

type Scalar = string | number | boolean
export type Pairs = { readonly [name: string]: Scalar | readonly Scalar[] }

/** Name-value pairs written as `a=1&b=2`, from templates; a list gives its name several times. */
export function compilePairs(
  pairs: Pairs,
  field: string,
  encode: (text: string) => string,
  settle: Settle,
): Template<string> {
  const texts: string[] = ['']
  const values: Template<string>[] = []
  const add = (text: string) => {
    texts[texts.length - 1] += text
  }
  for (const [name, given] of Object.entries(pairs)) {
    for (const value of Array.isArray(given) ? given : [given]) {
      const template = settle.text(String(value), `${field}.${name}`)
      add(`${texts.length === 1 && texts[0] === '' ? '' : '&'}${encode(name)}=`)
      if (template.constant !== undefined) add(encode(template.constant))
      else {
        values.push(template)
        texts.push('')
      }
    }
  }
  const [first = ''] = texts
  if (values.length === 0) return { isStatic: true, constant: first, paths: [], render: () => first }
  const render = (context: Context): string => {
    let text = first
    for (let i = 0; i < values.length; i++) text += encode(values[i]?.render(context) ?? '') + texts[i + 1]
    return text
  }
  return { isStatic: false, constant: undefined, paths: values.flatMap(value => value.paths), render }
}

const tricky = /[^\w.~!*'()-]/

/** For a query. A lone surrogate, which `encodeURIComponent` refuses, becomes U+FFFD as everywhere else. */
export const encodeQuery = (text: string): string =>
  tricky.test(text) ? encodeURIComponent(text.toWellFormed()) : text

/** As HTML forms write it: a space is a plus. */
export const encodeForm = (text: string): string =>
  encodeQuery(text)
    .replaceAll('%20', '+')
    .replace(/[!'()~]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

import { toJsonText } from '../text.ts'
import { textAt } from './arguments.ts'
import type { BuiltIn } from './built-in.ts'

function ofText(name: string, change: (text: string) => string): BuiltIn {
  return { usage: `${name}(text)`, arity: [1, 1], pure: true, call: given => change(textAt(given, 0, 'text')) }
}

export const base64 = ofText('base64', text => Buffer.from(text, 'utf8').toString('base64'))
/** Lone surrogates, which `encodeURIComponent` throws on, become U+FFFD. */
export const urlEncode = ofText('urlEncode', text => encodeURIComponent(text.toWellFormed()))
export const upper = ofText('upper', text => text.toUpperCase())
export const lower = ofText('lower', text => text.toLowerCase())
export const trim = ofText('trim', text => text.trim())

export const json: BuiltIn = {
  usage: 'json(value)',
  arity: [1, 1],
  pure: true,
  call: given => toJsonText(given[0]),
}

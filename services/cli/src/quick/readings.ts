import { methods } from '@onrush/protocol/http-step'
import { suggest } from '@onrush/protocol/nearest'
import type { Read } from '../arguments/option.ts'

export type Method = (typeof methods)[number]

export const method: Read<Method> = text => {
  const found = methods.find(each => each === text.toUpperCase())
  return found === undefined
    ? { problem: `no method "${text}"; ${suggest(text.toUpperCase(), methods)}` }
    : { value: found }
}

export const header: Read<readonly [string, string]> = text => {
  const found = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*?)\s*$/.exec(text)
  if (found === null) return { problem: `expected a header like "accept: text/html", got "${text}"` }
  return { value: [found[1] ?? '', found[2] ?? ''] }
}

import type { Context } from '@onrush/context/context'
import { RenderError } from '@onrush/context/render-error'
import type { Template } from '@onrush/context/template'
import type { HttpStep } from '@onrush/protocol/http-step'
import { basic } from './origin.ts'
import type { Settle } from './settle.ts'

type Fields = Pick<HttpStep, 'headers' | 'auth'>

export interface HeaderPlan {
  /** Names and values in turn; shared, never to be changed. Set when nothing is left to render. */
  readonly constant: string[] | undefined
  /** Throws `RenderError`. */
  render(context: Context): string[]
  has(name: string): boolean
}

interface Field {
  readonly name: string
  readonly value: Template<string>
}

/** They say how the message is framed, and that is the transport's to decide. */
const reserved = new Set(['content-length', 'transfer-encoding', 'upgrade', 'keep-alive', 'expect'])

/** What a header may not hold: a line break would end it and begin another one. Beyond latin1 nothing can be sent. */
const forbidden = /[^\t\x20-\x7e\x80-\xff]/

/**
 * The headers of a step's requests. What is given for the step wins over the simulation's, and among both a header
 * over `auth`; `otherwise` is what is sent when nobody says anything.
 */
export function compileHeaders(
  step: Fields,
  simulation: Fields,
  otherwise: Readonly<Record<string, string>>,
  settle: Settle,
): HeaderPlan {
  const fields = new Map<string, Field>()
  for (const [name, value] of Object.entries(otherwise)) fields.set(name, { name, value: constant(value) })
  for (const [from, where] of [
    [simulation, ' (http)'],
    [step, ''],
  ] as const) {
    const authorization = from.auth === undefined ? undefined : authorizationOf(from.auth, `${where}.auth`, settle)
    if (authorization !== undefined) fields.set('authorization', { name: 'authorization', value: authorization })
    for (const [name, value] of Object.entries(from.headers ?? {})) {
      const lower = name.toLowerCase()
      const place = `${where}.headers.${name}`
      if (reserved.has(lower)) {
        settle.fault(place, `"${lower}" follows from the body and the connection and cannot be set; leave it out`)
      }
      fields.set(lower, { name, value: checked(settle.text(value, place), name, place, settle) })
    }
  }
  const list = [...fields.values()]
  const fixed = list.flatMap(({ name, value }) => [name, value.constant ?? ''])
  const open = list.flatMap(({ name, value }, i) => (value.isStatic ? [] : [{ name, value, at: 2 * i + 1 }]))
  const has = (name: string) => fields.has(name)
  if (open.length === 0) return { constant: fixed, render: () => fixed, has }
  const render = (context: Context): string[] => {
    const headers = fixed.slice()
    for (const { name, value, at } of open) {
      const text = value.render(context)
      if (forbidden.test(text)) throw new RenderError(name, refused(name))
      headers[at] = text
    }
    return headers
  }
  return { constant: undefined, render, has }
}

/** The value is not shown: headers carry what nobody should see. */
const refused = (name: string): string =>
  `the header "${name}" was rendered with a line break or a character beyond latin1; encode its value`

function checked(value: Template<string>, name: string, place: string, settle: Settle): Template<string> {
  if (value.constant !== undefined && forbidden.test(value.constant)) settle.fault(place, refused(name))
  return value
}

function authorizationOf(auth: NonNullable<Fields['auth']>, place: string, settle: Settle): Template<string> {
  if ('bearer' in auth)
    return derived([settle.text(auth.bearer, `${place}.bearer`)], ([token = '']) => `Bearer ${token}`)
  const { user, password } = auth.basic
  const parts = [settle.text(user, `${place}.basic.user`), settle.text(password, `${place}.basic.password`)]
  return derived(parts, ([name = '', secret = '']) => basic(`${name}:${secret}`))
}

function derived(from: readonly Template<string>[], to: (texts: readonly string[]) => string): Template<string> {
  if (from.every(each => each.isStatic)) return constant(to(from.map(each => each.constant ?? '')))
  return {
    isStatic: false,
    constant: undefined,
    paths: from.flatMap(each => each.paths),
    render: context => to(from.map(each => each.render(context))),
  }
}

const constant = (value: string): Template<string> => ({
  isStatic: true,
  constant: value,
  paths: [],
  render: () => value,
})

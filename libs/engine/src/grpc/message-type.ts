import { suggest } from '@onrush/protocol/nearest'
import { Enum, type Field, MapField, type Type } from 'protobufjs'
import { settleValues } from './message-values.ts'
import { type Convert, MessageWalk } from './message-walk.ts'
import { scalarConvert } from './scalar-field.ts'

type Plain = { [field: string]: unknown }

const isMap = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)

/** A message of a service, as scripts write and read it: fields named as in the .proto file. */
export class MessageType {
  readonly #type: Type
  readonly #convert: Convert
  readonly #settle: (message: Plain) => void

  constructor(type: Type) {
    this.#type = type
    this.#convert = messageConvert(type)
    this.#settle = settleValues(type)
  }

  get name(): string {
    return this.#type.fullName.replace(/^\./, '')
  }

  /** All that is wrong with it goes to the walk; without faults, the message's bytes. */
  encode(value: unknown, walk: MessageWalk): Buffer {
    const plain = this.#convert(value, walk)
    if (walk.faults.length > 0 || !isMap(plain)) return empty
    const bytes = this.#type.encode(plain).finish()
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** What is wrong with a message whose texts may still hold templates. */
  check(value: unknown, where: string) {
    const walk = new MessageWalk(where, true)
    this.#convert(value, walk)
    return walk.faults
  }

  /** Throws when the bytes are no such message. */
  decode(bytes: Uint8Array): Plain {
    const message = this.#type.toObject(this.#type.decode(bytes), { enums: String, defaults: true })
    this.#settle(message)
    return message
  }
}

const empty = Buffer.alloc(0)

// Types refer to themselves, so a type's conversion is found again while it is being built.
const known = new WeakMap<Type, Convert>()

function messageConvert(type: Type): Convert {
  const found = known.get(type)
  if (found !== undefined) return found
  const fields = new Map<string, Convert>()
  const names = Object.keys(type.fields)
  const convert: Convert = (value, walk) => {
    if (walk.isOpen(value)) return undefined
    if (!isMap(value)) return walk.expected(`a map, the message ${type.name}`, value)
    const plain: Plain = {}
    for (const name of Object.keys(value)) {
      const field = fields.get(name)
      walk.path.push(name)
      if (field === undefined) walk.fault(`${type.name} has no field "${name}" (${suggest(name, names)})`)
      else if (value[name] !== null && value[name] !== undefined) plain[name] = field(value[name], walk)
      walk.path.pop()
    }
    const isGiven = (name: string): boolean => value[name] !== undefined && value[name] !== null
    for (const name of required) if (!isGiven(name)) walk.fault(`the field "${name}" is required`)
    for (const members of alternatives) {
      const given = members.filter(isGiven)
      if (given.length > 1) walk.fault(`expected one of ${members.join(', ')}; got ${given.join(' and ')}`)
    }
    return plain
  }
  known.set(type, convert)
  for (const field of type.fieldsArray) fields.set(field.name, fieldConvert(field.resolve()))
  const required = type.fieldsArray.filter(field => field.required).map(field => field.name)
  const alternatives = type.oneofsArray.map(oneof => oneof.oneof).filter(members => members.length > 1)
  return convert
}

function fieldConvert(field: Field): Convert {
  const one = valueConvert(field)
  if (field instanceof MapField) {
    const key = scalarConvert(field.keyType) ?? one
    return (value, walk) => {
      if (walk.isOpen(value)) return undefined
      if (!isMap(value)) return walk.expected('a map', value)
      const entries: [string, unknown][] = []
      for (const [name, item] of Object.entries(value)) {
        walk.path.push(name)
        if (!walk.isOpen(name)) key(name, walk)
        entries.push([name, one(item, walk)])
        walk.path.pop()
      }
      return Object.fromEntries(entries)
    }
  }
  if (!field.repeated) return (value, walk) => (walk.isOpen(value) ? undefined : one(value, walk))
  return (value, walk) => {
    if (walk.isOpen(value)) return undefined
    if (!Array.isArray(value)) return walk.expected('a list', value)
    return value.map((item, i) => {
      walk.path.push(i)
      const converted = walk.isOpen(item) ? undefined : one(item, walk)
      walk.path.pop()
      return converted
    })
  }
}

function valueConvert(field: Field): Convert {
  const { resolvedType } = field
  if (resolvedType instanceof Enum) return enumConvert(resolvedType)
  if (resolvedType !== null) return messageConvert(resolvedType)
  const scalar = scalarConvert(field.type)
  if (scalar === undefined) throw new Error(`${field.fullName} has the type ${field.type}, which nothing declares`)
  return scalar
}

function enumConvert(type: Enum): Convert {
  const names = Object.keys(type.values)
  return (value, walk) => {
    if (typeof value === 'string' && Object.hasOwn(type.values, value)) return type.values[value]
    const number = typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value
    // Enums are open: a number that has no name yet may have one at the server.
    if (typeof number === 'number' && Number.isInteger(number)) return number
    const hint = typeof value === 'string' ? suggest(value, names) : `known are ${names.slice(0, 24).join(', ')}`
    return walk.fault(`expected a name of ${type.name}, got ${JSON.stringify(value)?.slice(0, 80)} (${hint})`)
  }
}

import { type Field, MapField, Type } from 'protobufjs'

type Plain = { [field: string]: unknown }
type Settle = (message: Plain) => void
type SettleValue = (value: unknown) => unknown

const long = new Set(['int64', 'uint64', 'sint64', 'fixed64', 'sfixed64'])

/** A number where a double holds it exactly, otherwise the text. */
const settleLong: SettleValue = value => {
  if (!isLong(value)) return value
  const high = value.unsigned ? value.high >>> 0 : value.high
  const number = high * 2 ** 32 + (value.low >>> 0)
  return Number.isSafeInteger(number) ? number : value.toString()
}

const isLong = (value: unknown): value is { low: number; high: number; unsigned: boolean } =>
  typeof value === 'object' && value !== null && 'low' in value && 'high' in value && 'unsigned' in value

const settleBytes: SettleValue = value => (Buffer.isBuffer(value) ? value.toString('base64') : value)

const known = new WeakMap<Type, Settle>()
const nothing: Settle = () => undefined

/**
 * Makes a decoded message what scripts are promised: 64-bit numbers as numbers where those can hold them, bytes as
 * base64. Types without either cost nothing.
 */
export function settleValues(type: Type): Settle {
  return hasAny(type, new Set()) ? build(type) : nothing
}

function hasAny(type: Type, seen: Set<Type>): boolean {
  if (seen.has(type)) return false
  seen.add(type)
  return type.fieldsArray.some(field => {
    const { resolvedType } = field.resolve()
    if (resolvedType instanceof Type) return hasAny(resolvedType, seen)
    return resolvedType === null && (long.has(field.type) || field.type === 'bytes')
  })
}

function build(type: Type): Settle {
  const found = known.get(type)
  if (found !== undefined) return found
  const fields: { readonly name: string; readonly settle: SettleValue }[] = []
  const settle: Settle = message => {
    for (const field of fields) {
      const value = message[field.name]
      if (value !== undefined && value !== null) message[field.name] = field.settle(value)
    }
  }
  known.set(type, settle)
  for (const field of type.fieldsArray) {
    const one = ofField(field)
    if (one !== undefined) fields.push({ name: field.name, settle: many(field, one) })
  }
  return settle
}

function ofField({ type, resolvedType }: Field): SettleValue | undefined {
  if (resolvedType instanceof Type) {
    if (!hasAny(resolvedType, new Set())) return undefined
    const inner = build(resolvedType)
    return value => {
      if (isPlain(value)) inner(value)
      return value
    }
  }
  if (resolvedType !== null) return undefined
  if (type === 'bytes') return settleBytes
  return long.has(type) ? settleLong : undefined
}

function many(field: Field, one: SettleValue): SettleValue {
  if (field instanceof MapField) {
    return value => {
      if (isPlain(value)) for (const key of Object.keys(value)) value[key] = one(value[key])
      return value
    }
  }
  return field.repeated ? value => (Array.isArray(value) ? value.map(one) : value) : one
}

const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null

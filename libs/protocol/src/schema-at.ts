import { z } from 'zod'
import { valueAt } from './json-path.ts'

type Schema = z.core.$ZodType

/** Whether a discriminated union's option is the one the value says it is. */
function says(option: Schema, key: string, said: unknown): boolean {
  const literal = option instanceof z.ZodObject ? option.shape[key] : undefined
  return literal instanceof z.ZodLiteral && [...literal.values].some(value => value === said)
}

/** The schema that judges what lies at a path, choosing among alternatives by what the value says it is. */
export function schemaAt(schema: Schema, path: readonly PropertyKey[], value: unknown): Schema | undefined {
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return schemaAt(schema.unwrap(), path, value)
  }
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const key = schema.def.discriminator
    const option = schema.options.find(each => says(each, key, valueAt(value, [key])))
    return option === undefined ? undefined : schemaAt(option, path, value)
  }
  if (schema instanceof z.ZodUnion) {
    return schema.options.map(option => schemaAt(option, path, value)).find(found => found !== undefined)
  }
  const [key, ...rest] = path
  if (key === undefined) return schema
  const next =
    schema instanceof z.ZodObject
      ? schema.shape[String(key)]
      : schema instanceof z.ZodArray
        ? schema.element
        : schema instanceof z.ZodRecord
          ? schema.valueType
          : undefined
  return next === undefined ? undefined : schemaAt(next, rest, valueAt(value, [key]))
}

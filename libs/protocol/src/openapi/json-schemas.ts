import { z } from 'zod'
import { schemaNames } from './schema-names.ts'

export type JsonSchema = { readonly [key: string]: unknown }

const prefix = '#/components/schemas/'

/**
 * JSON Schemas of the schemas that validate. What goes in and what comes out differ where a schema fills in a default, so
 * a named one may have two forms; the second is called `<name>Input`.
 */
export class JsonSchemas {
  readonly #input: Form
  readonly #output: Form
  readonly #twofold: ReadonlySet<string>

  constructor(used: readonly z.ZodType[]) {
    const names = new Map<z.ZodType, string>(Object.entries(schemaNames).map(([name, schema]) => [schema, name]))
    let unnamed = 0
    for (const schema of used) if (!names.has(schema)) names.set(schema, `#${unnamed++}`)
    this.#input = new Form(names, 'input')
    this.#output = new Form(names, 'output')
    const twofold = new Set<string>()
    for (const name of Object.keys(schemaNames)) {
      if (text(this.#input.of(name)) !== text(this.#output.of(name))) twofold.add(name)
    }
    // Whatever refers to one with two forms has two itself.
    for (let before = -1; before !== twofold.size; ) {
      before = twofold.size
      for (const name of Object.keys(schemaNames)) {
        if (refersTo(this.#input.of(name), twofold)) twofold.add(name)
      }
    }
    this.#twofold = twofold
  }

  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const form = io === 'input' ? this.#input : this.#output
    const name = form.nameOf(schema)
    return name.startsWith('#') ? this.#shown(form.of(name), io) : { $ref: this.#refOf(name, io) }
  }

  /** All named schemas that these refer to, however far down. */
  components(roots: readonly JsonSchema[]): Record<string, JsonSchema> {
    const found = new Map<string, JsonSchema>()
    const open: unknown[] = [...roots]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const ref of refsIn(next)) {
        const name = ref.slice(prefix.length)
        if (found.has(name)) continue
        const io = name.endsWith('Input') && !(name in schemaNames) ? 'input' : 'output'
        const schema = this.#shown((io === 'input' ? this.#input : this.#output).of(name.replace(/Input$/, '')), io)
        found.set(name, schema)
        open.push(schema)
      }
    }
    return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #refOf(name: string, io: 'input' | 'output'): string {
    return `${prefix}${name}${io === 'input' && this.#twofold.has(name) ? 'Input' : ''}`
  }

  #shown(schema: JsonSchema, io: 'input' | 'output'): JsonSchema {
    return mapRefs(schema, ref => this.#refOf(ref.slice(prefix.length), io))
  }
}

/** Every schema in one of its two forms. */
class Form {
  readonly #names: ReadonlyMap<z.ZodType, string>
  readonly #schemas: Readonly<Record<string, JsonSchema>>

  constructor(names: ReadonlyMap<z.ZodType, string>, io: 'input' | 'output') {
    this.#names = names
    const registry = z.registry<{ id: string }>()
    for (const [schema, id] of names) registry.add(schema, { id })
    const { schemas } = z.toJSONSchema(registry, {
      io,
      target: 'draft-2020-12',
      // Functions stand in scripts only: as data a code step cannot be written.
      unrepresentable: 'any',
      uri: id => `${prefix}${id}`,
    })
    const { __shared: shared, ...own } = schemas
    const all: Record<string, unknown> = { ...own }
    for (const [name, schema] of Object.entries(shared?.$defs ?? {}))
      all[`Shared${name.slice('schema'.length)}`] = schema
    const clean = new Map(Object.entries(all).map(([name, schema]) => [name, cleaned(schema)]))
    this.#schemas = Object.fromEntries([...clean].map(([name, schema]) => [name, writtenOut(schema, clean)]))
  }

  nameOf(schema: z.ZodType): string {
    const name = this.#names.get(schema)
    if (name === undefined) throw new Error('a schema that was not announced')
    return name
  }

  of(name: string): JsonSchema {
    const schema = this.#schemas[name]
    if (schema === undefined) throw new Error(`no schema ${name}`)
    return schema
  }
}

const isMap = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (schema: unknown): string => JSON.stringify(schema)

/** Without what only a file of its own needs, and with references as they are in one document. */
function cleaned(schema: unknown): JsonSchema {
  if (!isMap(schema)) return {}
  const { $schema: _schema, $id: _id, ...rest } = schema
  return mapRefs(rest, ref => ref.replace(/__shared#\/\$defs\/schema(\d+)$/, 'Shared$1'))
}

/** What has no name is put in where it is referred to. */
function writtenOut(schema: JsonSchema, all: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isMap(value)) return value
    const { $ref, ...beside } = value
    const unnamed =
      typeof $ref === 'string' && $ref.startsWith(`${prefix}#`) ? all.get($ref.slice(prefix.length)) : undefined
    if (unnamed !== undefined) return walk({ ...unnamed, ...beside })
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each)]))
  }
  const walked = walk(schema)
  return isMap(walked) ? walked : {}
}

function mapRefs(schema: JsonSchema, change: (ref: string) => string): JsonSchema {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isMap(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        key,
        key === '$ref' && typeof each === 'string' ? change(each) : walk(each),
      ]),
    )
  }
  const walked = walk(schema)
  return isMap(walked) ? walked : {}
}

function* refsIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const each of value) yield* refsIn(each)
  else if (isMap(value)) {
    for (const [key, each] of Object.entries(value)) {
      if (key === '$ref' && typeof each === 'string' && each.startsWith(prefix)) yield each
      else yield* refsIn(each)
    }
  }
}

function refersTo(schema: JsonSchema, names: ReadonlySet<string>): boolean {
  for (const ref of refsIn(schema)) if (names.has(ref.slice(prefix.length))) return true
  return false
}

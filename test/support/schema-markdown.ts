type Schema = { readonly [key: string]: unknown }

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const mapOf = (value: unknown): Schema => (isSchema(value) ? value : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
/** A bar would end a cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|')

function typeOf(value: unknown): string {
  const schema = mapOf(value)
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return `[${name}](#${name.toLowerCase()})`
  }
  if ('const' in schema) return `\`${JSON.stringify(schema.const)}\``
  if (Array.isArray(schema.enum)) return schema.enum.map(each => `\`${JSON.stringify(each)}\``).join(' or ')
  const options = listOf(schema.oneOf ?? schema.anyOf)
  if (options.length > 0) return options.map(typeOf).join(' or ')
  if (schema.type === 'array') {
    const items = listOf(schema.prefixItems)
    if (items.length > 0) return `[${items.map(typeOf).join(', ')}]`
    return `list of ${'items' in schema ? typeOf(schema.items) : 'values'}`
  }
  if (schema.type === 'object' && isSchema(schema.additionalProperties))
    return `map of ${typeOf(schema.additionalProperties)}`
  if (typeof schema.type === 'string') return schema.format === 'date-time' ? 'time (ISO 8601)' : schema.type
  return 'any value'
}

function rowsOf(value: unknown, path: string): string[] {
  const schema = mapOf(value)
  if (schema.type === 'array') return rowsOf(schema.items, `${path}[]`)
  const required = new Set(listOf(schema.required))
  return Object.entries(mapOf(schema.properties)).flatMap(([name, each]) => {
    const here = path === '' ? name : `${path}.${name}`
    const description = mapOf(each).description
    const meaning = [typeof description === 'string' ? description : '', required.has(name) ? '' : 'optional'].filter(
      Boolean,
    )
    const row = `| \`${here}\` | ${cell(typeOf(each))} | ${cell(meaning.join('; '))} |`
    return [row, ...(isSchema(each) && typeof each.$ref !== 'string' ? rowsOf(each, here) : [])]
  })
}

const head = '| field | type | meaning |\n|---|---|---|'

function table(schema: unknown): string {
  const rows = rowsOf(schema, '')
  return rows.length === 0 ? typeOf(schema) : `${head}\n${rows.join('\n')}`
}

const described = (schema: unknown): string => {
  const { description } = mapOf(schema)
  return typeof description === 'string' ? `${description.slice(0, 1).toUpperCase()}${description.slice(1)}.\n\n` : ''
}

/** The forms of a message, each under the word in its `type`. */
export function formsOf(schema: unknown, all: Schema): string {
  const ref = mapOf(schema).$ref
  if (typeof ref === 'string') return formsOf(all[ref.split('/').at(-1) ?? ''], all)
  const options = listOf(mapOf(schema).oneOf ?? mapOf(schema).anyOf)
  return options
    .map(option => {
      const name = mapOf(option).$ref
      const form = typeof name === 'string' ? all[name.split('/').at(-1) ?? ''] : option
      const type = mapOf(mapOf(mapOf(form).properties).type).const
      return `#### \`${String(type)}\`\n\n${described(form)}${table(form)}`
    })
    .join('\n\n')
}

export const schemaSection = (name: string, schema: unknown): string =>
  `### ${name}\n\n${described(schema)}${listOf(mapOf(schema).oneOf).length > 0 && rowsOf(schema, '').length === 0 ? choices(schema) : table(schema)}`

const choices = (schema: unknown): string =>
  listOf(mapOf(schema).oneOf)
    .map(each => (rowsOf(each, '').length === 0 ? `- ${typeOf(each)}` : `${table(each)}`))
    .join('\n\n')

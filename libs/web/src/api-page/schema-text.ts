import { escaped } from '../markup.ts'

export type Schema = { readonly [key: string]: unknown }

const isMap = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)
const mapOf = (value: unknown): Schema => (isMap(value) ? value : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const number = (value: unknown): string => (typeof value === 'number' ? String(value) : '')

/** What restricts a value beside its type: `1 … 200 characters`, `≥ 0`. */
function boundsOf(schema: Schema): string {
  const range = (least: string, most: string, unit: string): string => {
    const [from, to] = [number(schema[least]), number(schema[most])]
    // Safe integers are every integer that JSON can hold.
    const upper = to === '9007199254740991' ? '' : to
    const lower = from === '-9007199254740991' ? '' : from
    if (lower === '' && upper === '') return ''
    return ` (${lower === '' ? '≤' : upper === '' ? '≥' : `${lower} … `}${lower !== '' && upper === '' ? ` ${lower}` : upper}${unit})`
  }
  const pattern =
    typeof schema.pattern === 'string' && schema.format === undefined ? ` /${escaped(schema.pattern)}/` : ''
  return `${range('minLength', 'maxLength', ' characters')}${range('minimum', 'maximum', '')}${range('minItems', 'maxItems', ' items')}${pattern}`
}

/** A schema's type on one line, with links to those that have a name. */
export function typeText(value: unknown): string {
  const schema = mapOf(value)
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return `<a href="#schema-${escaped(name)}">${escaped(name)}</a>`
  }
  if ('const' in schema) return `<code>${escaped(JSON.stringify(schema.const))}</code>`
  if (Array.isArray(schema.enum))
    return schema.enum.map(each => `<code>${escaped(JSON.stringify(each))}</code>`).join(' | ')
  const options = listOf(schema.oneOf ?? schema.anyOf)
  if (options.length > 0) return options.map(typeText).join(' | ')
  if (Array.isArray(schema.allOf)) return schema.allOf.map(typeText).join(' & ')
  if (schema.type === 'array')
    return `list of ${'items' in schema ? typeText(schema.items) : 'values'}${boundsOf(schema)}`
  if (schema.type === 'object' && isMap(schema.additionalProperties))
    return `map of ${typeText(schema.additionalProperties)}`
  if (schema.type === 'object') return 'object'
  if (typeof schema.type === 'string') {
    const format = typeof schema.format === 'string' ? ` (${escaped(schema.format)})` : ''
    return `${escaped(schema.type)}${format}${boundsOf(schema)}`
  }
  return 'any value'
}

/** An object's fields as rows, those of nested objects below their owner; each form of a choice after the other. */
export function fieldRows(value: unknown, path = ''): string {
  const schema = mapOf(value)
  const options = listOf(schema.oneOf ?? schema.anyOf).filter(each => isMap(each) && isMap(each.properties))
  if (options.length > 0) {
    return options
      .map(
        (each, i) =>
          `<tr class="form"><th scope="rowgroup" colspan="3">${i === 0 ? 'either' : 'or'} ${titleOf(each)}</th></tr>${fieldRows(each, path)}`,
      )
      .join('')
  }
  if (schema.type === 'array') return fieldRows(schema.items, `${path}[]`)
  const required = new Set(listOf(schema.required))
  return Object.entries(mapOf(schema.properties))
    .map(([name, each]) => {
      const here = path === '' ? name : `${path}.${name}`
      const description = mapOf(each).description
      const nested = isMap(each) && typeof each.$ref !== 'string' ? fieldRows(each, here) : ''
      return `<tr><td><code>${escaped(here)}</code>${required.has(name) ? '' : ' <span class="muted">optional</span>'}</td><td>${typeText(each)}</td><td>${typeof description === 'string' ? escaped(description) : ''}</td></tr>${nested}`
    })
    .join('')
}

/** The constant that tells one form of a choice from the others. */
function titleOf(value: unknown): string {
  const found = Object.entries(mapOf(mapOf(value).properties)).find(([, each]) => isMap(each) && 'const' in each)
  return found === undefined
    ? ''
    : `<code>${escaped(found[0])}: ${escaped(JSON.stringify(mapOf(found[1]).const))}</code>`
}

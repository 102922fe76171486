import { z } from 'zod'
import type { Code } from './codes.ts'
import { OnrushError } from './error.ts'
import { jsonPath, valueAt } from './json-path.ts'
import { nearest, suggest } from './nearest.ts'
import type { Fault } from './problem.ts'
import { schemaAt } from './schema-at.ts'
import { isSecretName, withoutSecrets } from './secrets.ts'

export type Checked<T> = { ok: true; value: T } | { ok: false; faults: Fault[] }

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'function') return 'a function'
  const text = JSON.stringify(withoutSecrets(value)) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}

const isSecretField = (name: string): boolean => name === '$secret' || isSecretName(name)

const withArticle = (noun: string) => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`)

function oneOf(values: readonly unknown[], got: unknown): string {
  const near = typeof got === 'string' ? nearest(got, values.map(String)) : undefined
  const hint = near === undefined ? '' : `; did you mean "${near}"?`
  return `expected ${values.length === 1 ? '' : 'one of '}${values.map(shown).join(', ')}, got ${shown(got)}${hint}`
}

/** Of a union's branches, the one that failed only inside the value is the one that was meant. */
function meantBranch(issue: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | undefined {
  const inside = issue.errors.filter(branch =>
    branch.every(each => each.path.length > 0 || each.code === 'unrecognized_keys'),
  )
  return inside.length === 1 ? inside[0] : undefined
}

function faultsOf(issue: z.core.$ZodIssue, schema: z.core.$ZodType, input: unknown): Fault[] {
  const path = jsonPath(issue.path)
  const found = valueAt(input, issue.path)
  // What a field is called tells whether its value may be repeated to whoever reads the error.
  const got =
    typeof found === 'string' && issue.path.some(key => typeof key === 'string' && isSecretField(key)) ? '…' : found
  const fault = (message: string): Fault[] => [{ path, message }]
  switch (issue.code) {
    case 'unrecognized_keys': {
      const owner = schemaAt(schema, issue.path, input)
      const known = owner instanceof z.ZodObject ? Object.keys(owner.shape) : []
      return issue.keys.map(key => ({
        path: jsonPath([...issue.path, key]),
        message: `unknown field "${key}"${known.length === 0 ? '' : ` (${suggest(key, known)})`}`,
      }))
    }
    case 'invalid_type':
      if (got === undefined)
        return fault(`expected ${withArticle(issue.expected)}, got nothing: this field is required`)
      return fault(`expected ${withArticle(issue.expected)}, got ${shown(got)}`)
    case 'invalid_value':
      return fault(oneOf(issue.values, got))
    case 'invalid_union': {
      const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : undefined
      if (options !== undefined) return fault(oneOf(options, got))
      const meant = meantBranch(issue)
      if (meant === undefined) return fault(`${issue.message}, got ${shown(got)}`)
      return meant.flatMap(each => faultsOf({ ...each, path: [...issue.path, ...each.path] }, schema, input))
    }
    case 'too_small':
    case 'too_big':
      return fault(`${issue.message.replace(/^Too (small|big): /, '')}, got ${shown(got)}`)
    case 'invalid_key':
      return issue.issues.flatMap(each => fault(each.message))
    case 'custom':
      return fault(issue.message)
    default:
      return fault(`${issue.message}, got ${shown(got)}`)
  }
}

/** Checks a value against a schema and gives every problem at once, each with its place. */
export function check<T>(schema: z.ZodType<T>, input: unknown): Checked<T> {
  const result = schema.safeParse(input)
  if (result.success) return { ok: true, value: result.data }
  const faults = result.error.issues.flatMap(issue => faultsOf(issue, schema, input))
  // Rules between fields also run over a field that is itself wrong; what they say of it is only a consequence.
  return { ok: false, faults: faults.filter(({ path }, i) => faults.findIndex(first => first.path === path) === i) }
}

/** A sentence for a list of faults: the first few whole, the rest counted. */
export function faultsInWords(what: string, faults: readonly Fault[]): string {
  const first = faults.slice(0, 3).map(fault => `${fault.path}: ${fault.message}`)
  const count = faults.length === 1 ? 'a problem' : `${faults.length} problems`
  return `${what} has ${count}: ${first.join('; ')}${faults.length > 3 ? '; …' : ''}`
}

/** The same as `check`, as an error: for callers whose own caller must be told. */
export function demand<T>(schema: z.ZodType<T>, input: unknown, what: string, code: Code = 'invalid'): T {
  const checked = check(schema, input)
  if (checked.ok) return checked.value
  throw new OnrushError(code, faultsInWords(what, checked.faults), { errors: checked.faults })
}

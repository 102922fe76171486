import { createScope, type Scope } from './scope.ts'

type ParsedHeaders = { readonly [name: string]: string | readonly string[] | undefined }

/** Header fields by name (as transports parse them, in lower case), or a flat list of names and values as they came. */
export type HeaderSource = ParsedHeaders | readonly (string | Uint8Array)[]

function isFlat(source: HeaderSource): source is readonly (string | Uint8Array)[] {
  return Array.isArray(source)
}

/** Header bytes are latin1, whatever they mean to be. */
function textOf(part: string | Uint8Array | undefined): string {
  if (part === undefined) return ''
  return typeof part === 'string' ? part : Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('latin1')
}

/** Cookies hold commas of their own (`Expires=Wed, 21 Oct`), so they alone are joined with newlines. */
function separator(name: string): string {
  return name === 'set-cookie' ? '\n' : ', '
}

function joined(name: string, value: string | readonly string[]): string {
  return typeof value === 'string' ? value : value.join(separator(name))
}

/** All fields by lower-case name. */
export function headerScope(source: HeaderSource): Scope {
  const scope = createScope()
  if (isFlat(source)) {
    for (let i = 0; i < source.length; i += 2) add(scope, textOf(source[i]).toLowerCase(), textOf(source[i + 1]))
  } else {
    for (const name of Object.keys(source)) {
      const value = source[name]
      if (value !== undefined) add(scope, name.toLowerCase(), joined(name.toLowerCase(), value))
    }
  }
  return scope
}

function add(scope: Scope, name: string, value: string): void {
  const before = scope[name]
  scope[name] = typeof before === 'string' ? before + separator(name) + value : value
}

/** One field without building the map. `name` is in lower case. */
export function readHeader(source: HeaderSource, name: string): string | undefined {
  if (!isFlat(source)) {
    // Own, because the map is a transport’s and has a prototype.
    const value = Object.hasOwn(source, name) ? source[name] : undefined
    if (value !== undefined) return joined(name, value)
    for (const key of Object.keys(source)) {
      const other = source[key]
      if (other !== undefined && key.length === name.length && key.toLowerCase() === name) return joined(name, other)
    }
    return undefined
  }
  let found: string | undefined
  for (let i = 0; i < source.length; i += 2) {
    const key = source[i]
    if (key === undefined || key.length !== name.length || textOf(key).toLowerCase() !== name) continue
    found = found === undefined ? textOf(source[i + 1]) : found + separator(name) + textOf(source[i + 1])
  }
  return found
}

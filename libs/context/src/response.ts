import { ColumnFault } from './column-fault.ts'
import type { Context } from './context.ts'
import type { Environment } from './environment.ts'
import { missing } from './missing.ts'
import { type Path, pathOf } from './path.ts'
import { isDefinite } from './path-segment.ts'
import { parsePath } from './path-syntax.ts'
import { holdsSecret } from './secret.ts'
import { toText } from './text.ts'

/*
 * A response is written by whoever answers, so what it may do is little: name one place of the context by a definite
 * path, and only so often. No call, no filter, no default; no secret, and nothing of the request's headers, which carry
 * credentials in forms (base64) that no comparison would find.
 */
const mostReferences = 1000
const mostInserted = 1_048_576
const longestReference = 200
const deepest = 200

/** Renders the texts of a response, at any depth. What was put in is not looked at again. */
export function renderResponse(value: unknown, context: Context, environment: Environment): unknown {
  return new Rendering(context, environment).value(value, 0)
}

class Rendering {
  readonly #context: Context
  readonly #environment: Environment
  #references = 0
  #inserted = 0

  constructor(context: Context, environment: Environment) {
    this.#context = context
    this.#environment = environment
  }

  /** The same object where nothing in it refers to anything. */
  value(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return value.includes('{{') ? this.#text(value) : value
    if (typeof value !== 'object' || value === null || depth >= deepest) return value
    if (value instanceof Uint8Array) return value
    if (Array.isArray(value)) {
      let list: unknown[] | undefined
      for (let i = 0; i < value.length; i++) {
        const before: unknown = value[i]
        const after = this.value(before, depth + 1)
        if (after === before) continue
        list ??= value.slice()
        list[i] = after
      }
      return list ?? value
    }
    return this.#map(value, depth)
  }

  #map(map: object, depth: number): unknown {
    let changed = false
    const entries = Object.entries(map)
    for (const entry of entries) {
      const after = this.value(entry[1], depth + 1)
      if (after === entry[1]) continue
      entry[1] = after
      changed = true
    }
    return changed ? Object.fromEntries(entries) : map
  }

  #text(text: string): unknown {
    let rendered = ''
    let at = 0
    let close = 0
    for (;;) {
      const open = text.indexOf('{{', at)
      if (open < 0) break
      // Sought once for all that open before it: a million `{{` before one `}}` must not be a million searches.
      if (close < open + 2) close = text.indexOf('}}', open + 2)
      if (close < 0) break
      const found = this.#find(text, open, close)
      if (found === missing) {
        // One brace on, so that `{{{$.x}}` and `{{ {{$.x}}` still find the reference inside.
        rendered += text.slice(at, open + 1)
        at = open + 1
        continue
      }
      if (open === 0 && close + 2 === text.length) return found
      const written = toText(found)
      this.#inserted += written.length
      rendered += text.slice(at, open) + written
      at = close + 2
    }
    return rendered + text.slice(at)
  }

  #find(text: string, open: number, close: number): unknown {
    if (close - open > longestReference) return missing
    const reference = text.slice(open + 2, close).trim()
    if (!reference.startsWith('$.')) return missing
    if (++this.#references > mostReferences || this.#inserted > mostInserted) return missing
    const found = referencePath(reference)?.read(this.#context)
    if (found === undefined || found === missing || holdsSecret(found, this.#environment)) return missing
    return found
  }
}

/** Responses repeat their references; hostile ones never do, and then the memory is emptied and stays small. */
const known = new Map<string, Path | undefined>()
const mostKnown = 256

function referencePath(reference: string): Path | undefined {
  if (known.has(reference)) return known.get(reference)
  if (known.size >= mostKnown) known.clear()
  const path = parseReference(reference)
  known.set(reference, path)
  return path
}

function parseReference(reference: string): Path | undefined {
  try {
    const segments = parsePath(reference)
    if (!segments.every(isDefinite)) return undefined
    const path = pathOf(reference, segments)
    const [, second] = segments
    const ofRequest = path.root === '_req' && (second?.kind !== 'key' || second.key === 'headers')
    return ofRequest ? undefined : path
  } catch (error) {
    // Not a reference: a response may hold any text between braces.
    if (error instanceof ColumnFault) return undefined
    throw error
  }
}

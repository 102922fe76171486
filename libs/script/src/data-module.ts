import type { Json } from '@onrush/protocol/json'
import { type Bundle, toBundle } from './bundle.ts'

/**
 * A simulation written as data becomes a module too, so that threads load one kind of thing. Through JSON.parse, because
 * a key `__proto__` in a literal would set a prototype.
 */
export function dataModule(value: Json): Bundle {
  const code = `export default JSON.parse(${JSON.stringify(JSON.stringify(value))})\n`
  return toBundle(code, JSON.stringify({ version: 3, sources: [], names: [], mappings: '' }))
}

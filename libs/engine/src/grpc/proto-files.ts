import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { OnrushError } from '@onrush/protocol/error'
import { common, parse, Root } from 'protobufjs'
import type { Files } from '../http/tls-settings.ts'
import { Schema } from './schema.ts'

/** These only describe services to others; what they declare is no message that a call could carry. */
const annotations = /^google\/api\/(?:annotations|http|client|field_behavior|resource)\.proto$/

/**
 * Reads .proto files and what they import. Files lie elsewhere on each worker, so that an import is found by its name
 * as seen from the script, never by looking around in folders.
 */
export function readProtos(protos: readonly string[], includes: readonly string[], files: Files): Schema {
  const places = new Map<string, string>()
  for (const [name, place] of files) {
    places.set(posix.normalize(name), place)
    // A folder that is written absolute leads to the file itself.
    places.set(place, place)
  }
  const root = new Root()
  const seen = new Set<string>()
  const waiting = protos.map(name => posix.normalize(name))
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    const origin = name
    for (const imported of parseInto(root, name, places)) {
      if (annotations.test(imported)) continue
      const bundled = common.get(imported)
      const candidates = [posix.dirname(origin), ...includes].map(folder => posix.join(folder, imported))
      const found = candidates.find(candidate => places.has(candidate))
      if (found !== undefined) waiting.push(found)
      else if (bundled?.nested !== undefined && !seen.has(imported)) root.addJSON(bundled.nested)
      else if (bundled === null || bundled === undefined) {
        throw new OnrushError(
          'invalid',
          `${origin} imports "${imported}", which is neither beside it nor in "includes"`,
        )
      }
      if (found === undefined) seen.add(imported)
    }
  }
  try {
    return new Schema(root)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new OnrushError('invalid', `${protos.join(', ')}: ${why}`, { cause })
  }
}

function parseInto(root: Root, name: string, places: ReadonlyMap<string, string>): readonly string[] {
  const place = places.get(name)
  if (place === undefined) throw new OnrushError('invalid', `there is no file "${name}" beside the script`)
  try {
    const { imports, weakImports } = parse(readFileSync(place, 'utf8'), root, { keepCase: true })
    return [...(imports ?? []), ...(weakImports ?? [])]
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new OnrushError('invalid', `${name}: ${why}`, { cause })
  }
}

import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import type { Simulation } from '@onrush/protocol/simulation'

type GrpcConnection = NonNullable<Simulation['grpc']>[string]

export interface ProtoImports {
  /** Seen from the script's folder, to where they lie. */
  readonly found: ReadonlyMap<string, string>
  readonly missing: readonly string[]
}

const importLine = /^\s*import\s+(?:public\s+|weak\s+)?"([^"]+)"\s*;/gm
/** These come with every protobuf library. */
const wellKnown = /^google\/(?:protobuf|api|rpc|type)\//

/** Nothing for what cannot be read: an import is looked for in several places, and gRPC's own loader says what is wrong with a file. */
const textOf = (file: string) => readFile(file, 'utf8').catch(() => undefined)

/** The files that a connection's .proto files import, and those import in turn: a worker needs them all. */
export async function protoImports(connection: GrpcConnection, folder: string): Promise<ProtoImports> {
  const found = new Map<string, string>()
  const missing: string[] = []
  const includes = (connection.includes ?? []).map(each => resolve(folder, each))
  const waiting = [connection.proto ?? []].flat().map(each => resolve(folder, each))
  const seen = new Set(waiting)
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const text = (await textOf(file)) ?? ''
    for (const [, imported = ''] of text.matchAll(importLine)) {
      const places = [dirname(file), ...includes].map(each => resolve(each, imported))
      const texts = await Promise.all(places.map(textOf))
      const place = places.find((_, i) => texts[i] !== undefined)
      if (place === undefined) {
        if (!wellKnown.test(imported)) {
          missing.push(
            `${relative(folder, file)} imports "${imported}", which is in none of: ${[...new Set(places.map(dirname))].join(', ')}`,
          )
        }
      } else if (!seen.has(place)) {
        seen.add(place)
        waiting.push(place)
        found.set(relative(folder, place).split(sep).join('/'), place)
      }
    }
  }
  return { found, missing }
}

import type { Fault } from '@onrush/protocol/problem'
import { readDataFile } from './data-file.ts'
import { dataModule } from './data-module.ts'
import { encode } from './first-load/encode.ts'
import type { Read } from './read.ts'

/** A simulation in YAML or JSON. */
export function readData(text: string, format: 'yaml' | 'json', named: string): Read | Fault[] {
  const read = readDataFile(text, format, named)
  if (Array.isArray(read)) return read
  const { value, faults } = encode(read.value)
  return { bundle: dataModule(value), value, faults, placeOf: path => `${named}:${read.placeOf(path)}` }
}

import { jsonPath } from '@onrush/protocol/json-path'
import type { Simulation } from '@onrush/protocol/simulation'
import { everyFeed } from './every-feed.ts'
import { everyStep, type Path } from './every-step.ts'

export interface NamedFile {
  /** As the script writes it. */
  readonly name: string
  /** Where it writes so, as a JSON path. */
  readonly path: string
}

const pemFields = ['ca', 'cert', 'key'] as const

/** Every file that a simulation names: feeds, bodies, parts, certificates, protocol files. Templates name none. */
export function namedFiles(simulation: Simulation): NamedFile[] {
  const files: NamedFile[] = []
  const add = (name: string | undefined, path: Path) => {
    if (name !== undefined && !name.includes('{{')) files.push({ name, path: jsonPath(path) })
  }
  const addPem = (tls: { [F in (typeof pemFields)[number]]?: string | undefined } | undefined, path: Path) => {
    for (const field of pemFields) add(tls?.[field], [...path, field])
  }
  addPem(simulation.http?.tls, ['http', 'tls'])
  for (const [name, { tls, proto = [] }] of Object.entries(simulation.grpc ?? {})) {
    if (typeof tls === 'object') addPem(tls, ['grpc', name, 'tls'])
    if (typeof proto === 'string') add(proto, ['grpc', name, 'proto'])
    else for (const [i, each] of proto.entries()) add(each, ['grpc', name, 'proto', i])
  }
  for (const [i, scenario] of simulation.scenarios.entries()) {
    for (const [feed, path] of everyFeed(scenario, ['scenarios', i])) add(feed.file, [...path, 'file'])
    for (const [step, path] of everyStep(scenario.steps, ['scenarios', i, 'steps'])) {
      if (step.type !== 'http') continue
      add(step.file, [...path, 'file'])
      for (const [j, part] of (step.multipart ?? []).entries()) add(part.file, [...path, 'multipart', j, 'file'])
    }
  }
  return files
}

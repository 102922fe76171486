import { basename } from 'node:path'

/** The name of a simulation, from its file: `Check Out.v2.ts` is `check-out-v2`. Safe in run ids and paths. */
export function simulationName(file: string): string {
  const name = basename(file)
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replace(/^-+|-+$/g, '')
  return name === '' ? 'simulation' : name
}

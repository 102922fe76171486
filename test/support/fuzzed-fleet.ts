import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { Fleet } from './fleet.ts'

export type FuzzedFleet = Fleet

/** A reporter and a worker for hostile requests: on files of their own, aiming at nothing. */
export async function fuzzedFleet(more: Record<string, string> = {}): Promise<FuzzedFleet> {
  const fleet = await Fleet.start({ reporters: 0 })
  const simulations = join(fleet.folder, 'simulations')
  // Uploads and removals of data files are among the requests.
  await cp(join(import.meta.dirname, 'fleet-simulations'), simulations, { recursive: true })
  const env = {
    ONRUSH_SIMULATIONS: simulations,
    ONRUSH_TARGETS: '127.0.0.1:9',
    ONRUSH_STARTS_PER_MINUTE: '1000000',
    ...more,
  }
  await Promise.all([fleet.reporter('r1', env), fleet.worker('w1', env)])
  return fleet
}

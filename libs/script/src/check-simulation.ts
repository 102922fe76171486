import { check } from '@onrush/protocol/check'
import type { Fault } from '@onrush/protocol/problem'
import { Simulation } from '@onrush/protocol/simulation'
import { checkFeeds } from './checks/feeds.ts'
import { checkFiles, type Files } from './checks/files.ts'
import { checkTemplates } from './checks/templates.ts'
import { checkThresholds } from './checks/thresholds.ts'
import { checkUrls } from './checks/urls.ts'
import { withoutFaults } from './without-faults.ts'

export interface CheckedSimulation {
  readonly simulation: Simulation
  readonly files: Files
}

/** All that can be known of a simulation before it runs; `folder` is where the files it names are looked up. */
export async function checkSimulation(
  value: unknown,
  folder: string | undefined,
): Promise<CheckedSimulation | Fault[]> {
  const checked = check(Simulation, value)
  if (!checked.ok) return [...checked.faults, ...(await faultsBeside(checked.faults, value, folder))]
  const simulation = checked.value
  const faults: Fault[] = []
  checkTemplates(simulation, faults)
  checkUrls(simulation, faults)
  checkThresholds(simulation, faults)
  const files = await checkFiles(simulation, folder, faults)
  await checkFeeds(simulation, files, faults)
  return faults.length === 0 ? { simulation, files } : faults
}

/**
 * What else is wrong with data that has not the right shape: said now, and not when the shape is right. Only what does
 * not follow from what is missing: a misspelt `export` must not make every use of its variables a fault.
 */
async function faultsBeside(shape: readonly Fault[], value: unknown, folder: string | undefined): Promise<Fault[]> {
  const rest = check(Simulation, withoutFaults(value, shape))
  if (!rest.ok) return []
  const faults: Fault[] = []
  checkTemplates(rest.value, faults)
  if (!shape.some(({ path }) => path.startsWith('$.http'))) checkUrls(rest.value, faults)
  const isOfThresholds = shape.every(({ path }) => path.startsWith('$.thresholds'))
  if (isOfThresholds) checkThresholds(rest.value, faults)
  const files = await checkFiles(rest.value, folder, faults)
  if (isOfThresholds) await checkFeeds(rest.value, files, faults)
  return faults
}

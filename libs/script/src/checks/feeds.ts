import { jsonPath } from '@onrush/protocol/json-path'
import type { Fault } from '@onrush/protocol/problem'
import type { Simulation } from '@onrush/protocol/simulation'
import { everyFeed } from '../every-feed.ts'
import { feedColumns } from '../feed-columns.ts'
import type { Files } from './files.ts'
import { checkVariables } from './variables.ts'

/** Reads the head of every feed, and refuses a scenario that asks for a column that none of its feeds has. */
export async function checkFeeds(simulation: Simulation, files: Files, faults: Fault[]): Promise<void> {
  for (const [i, scenario] of simulation.scenarios.entries()) {
    const columns: string[] = []
    let isKnown = true
    for (const [feed, path] of everyFeed(scenario, ['scenarios', i])) {
      const file = files[feed.file ?? '']
      // A file that is missing has its fault already.
      const found = feed.file !== undefined && file === undefined ? undefined : await feedColumns(feed, file)
      if (found === undefined) isKnown = false
      else if (typeof found === 'string') {
        isKnown = false
        faults.push({ path: jsonPath([...path, 'file']), message: found })
      } else columns.push(...found)
    }
    if (isKnown) checkVariables(scenario, columns, ['scenarios', i], faults)
  }
}

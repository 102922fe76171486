import { jsonPath } from '@onrush/protocol/json-path'
import type { Fault } from '@onrush/protocol/problem'
import type { Simulation } from '@onrush/protocol/simulation'
import { everyStep } from '../every-step.ts'

const web = /^https?:\/\//i
const scheme = /^[a-z][a-z0-9+.-]*:\/\//i
/** What only the run will know. */
const isOpen = (text: string): boolean => text.startsWith('{{')
const expected = 'expected "http://…" or "https://…"'

/** Refuses URLs that can lead nowhere, whatever the environment: the engine would say so of each session. */
export function checkUrls({ http = {}, scenarios }: Simulation, faults: Fault[]): void {
  const { baseUrl } = http
  if (baseUrl !== undefined && !isOpen(baseUrl) && !web.test(baseUrl)) {
    faults.push({ path: '$.http.baseUrl', message: `${expected}, got ${JSON.stringify(baseUrl)}` })
  }
  for (const [i, scenario] of scenarios.entries()) {
    for (const [step, path] of everyStep(scenario.steps, ['scenarios', i, 'steps'])) {
      if (step.type !== 'http' || !scheme.test(step.url) || web.test(step.url)) continue
      faults.push({ path: jsonPath([...path, 'url']), message: `${expected}, got ${JSON.stringify(step.url)}` })
    }
  }
}

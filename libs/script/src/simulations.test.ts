import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { profileKind } from '@onrush/protocol/injection'
import { describe, expect, it } from 'vitest'
import { loadSimulation } from './load-simulation.ts'
import { scriptFolder } from './testing/script-folder.ts'

const { cacheDir } = scriptFolder()
const folder = fileURLToPath(new URL('../../../simulations/', import.meta.url))
const isSimulation = (file: string) => /\.(?:[cm]?ts|[cm]?js|ya?ml|json)$/.test(file)
const files = readdirSync(folder).filter(isSimulation)
const load = (file: string) => loadSimulation(`${folder}${file}`, { cacheDir })

describe('the examples', () => {
  it.each(files)('%s is without a fault', async file => {
    const { simulation } = await load(file)
    expect(simulation.description).not.toBe('')
    expect(simulation.thresholds).toBeDefined()
  })

  it('are written in all three languages, with open, closed and fixed loads', async () => {
    const languages = new Set(files.map(file => file.split('.').at(-1)))
    expect(languages).toEqual(new Set(['ts', 'yaml', 'json']))
    const loaded = await Promise.all(files.map(load))
    const profiles = loaded.flatMap(({ simulation }) => [simulation, ...simulation.scenarios].map(each => each.inject))
    const kinds = new Set(profiles.flatMap(inject => (inject === undefined ? [] : [profileKind(inject)])))
    expect(kinds).toEqual(new Set(['open', 'closed', 'iterations']))
  })
})

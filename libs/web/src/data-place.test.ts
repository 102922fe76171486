import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { dataPlaceFault } from './data-place.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'onrush-place-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const fault = (data: string, simulations: string) => dataPlaceFault(join(base, data), join(base, simulations))
mkdirSync(join(base, 'team/fleet'), { recursive: true })
mkdirSync(join(base, 'elsewhere'))
symlinkSync(join(base, 'team'), join(base, 'link'))
symlinkSync(join(base, 'team/fleet'), join(base, 'team/.shown'))
symlinkSync(join(base, 'elsewhere'), join(base, 'team/away'))

it.each([
  ['the folder itself', 'team', 'team'],
  ['a folder in it', 'team/fleet', 'team'],
  ['a folder in it that is not made yet', 'team/new/reporter', 'team'],
  ['one reached by a link', 'link/fleet', 'team'],
  ['one in simulations reached by a link', 'team/fleet', 'link'],
  ['a hidden link to one that is not hidden', 'team/.shown', 'team'],
  ['one whose simulations are hidden as a whole', '.all/fleet', '.all'],
])('node data in simulations is refused: %s', (_, data, simulations) => {
  expect(fault(data, simulations)).toContain('expected a folder outside the simulations')
})

it.each([
  ['beside it', '.data', 'simulations'],
  ['around it', 'team', 'team/fleet'],
  ['hidden in it', 'team/.data', 'team'],
  ['below a hidden name in it', 'team/.data/fleet/r1', 'team'],
  ['a link in it that leads out', 'team/away', 'team'],
  ['of a name that only begins alike', 'team-data', 'team'],
])('node data may lie %s', (_, data, simulations) => {
  expect(fault(data, simulations)).toBeUndefined()
})

import { expect, it } from 'vitest'
import { simulationName } from './simulation-name.ts'

it.each([
  ['checkout.ts', 'checkout'],
  ['/a/b/Check Out.v2.yaml', 'check-out-v2'],
  ['日本.ts', 'simulation'],
  [`${'a'.repeat(80)}.ts`, 'a'.repeat(50)],
  ['-x-.json', 'x'],
  ['README', 'readme'],
])('names %s', (file, name) => {
  expect(simulationName(file)).toBe(name)
})

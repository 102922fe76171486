import { expect, it } from 'vitest'
import { holdsSimulation } from './holds-simulation.ts'

it.each([
  ['a.ts', 'export default simulation({})', true],
  ['a.ts', 'const s = simulation({})\nexport { s as default }\n', true],
  ['a.ts', "export { default } from './other.ts'", true],
  ['a.mjs', 'const a = 1; export default a', true],
  ['a.ts', 'export const steps = []', false],
  ['a.ts', '// export default is spoken of\nexport const a = 1', false],
  ['a.ts', '/*\nexport default 1\n*/\nexport const a = 1', false],
  ['a.yaml', 'description: x\nscenarios:\n  - name: a\n', true],
  ['a.yml', '{ description: x, scenarios: [] }', true],
  ['a.yaml', 'users:\n  - scenarios_done\n', false],
  ['a.json', '{ "scenarios": [] }', true],
  ['a.json', '[{ "id": 1 }]', false],
  ['report.json', '{ "runId": "x", "report": { "scenarios": [{ "name": "a" }] } }', false],
  ['a.json', '[{ "scenarios": [] }]', false],
  ['a.JSON', '{ "description": "x", "scenarios": [] }', true],
  ['broken.json', '{ "scenarios": [{ ] }', true],
  ['a.yaml', 'report:\n  scenarios:\n    - a\n', false],
  ['a.yaml', '- scenarios: []\n', false],
  ['a.yaml', '# of ours\n---\n"scenarios":\n  - name: a\n', true],
  ['a.yaml', '\n  # set in\n  name: x\n  scenarios:\n    - name: a\n', true],
  ['a.yaml', '\uFEFFscenarios:\n  - name: a\n', true],
  ['a.yaml', '  name:\n    scenarios: 1\n', false],
  ['a.yaml', '{ report: { scenarios: [] } }', false],
  ['broken.yaml', 'scenarios:\n  - name: "a\n', true],
])('%s with %j: %s', (file, text, holds) => {
  expect(holdsSimulation(file, text)).toBe(holds)
})

import { join } from 'node:path'
import { OnrushError } from '@onrush/protocol/error'
import { suggest } from '@onrush/protocol/nearest'
import { findBenches } from '../benches.ts'
import { defineCommand } from '../command.ts'
import { runNode } from '../run-node.ts'
import { root } from '../tree.ts'

export const bench = defineCommand({
  name: 'bench',
  group: 'Develop',
  summary: 'Run a benchmark; without a name, list them.',
  options: {},
  operands: [
    { name: 'name', summary: 'which benchmark', optional: true },
    { name: 'arguments', summary: 'handed to the benchmark as they are', optional: true, many: true },
  ],
  examples: ['onrush bench', 'onrush bench target'],
  handsOn: true,
  async run(_given, [name, ...rest], io) {
    const benches = findBenches(join(root, 'bench'))
    if (name === undefined) {
      const width = Math.max(0, ...benches.map(found => found.name.length))
      for (const found of benches) io.out.write(`${found.name.padEnd(width)}  ${found.summary}\n`)
      if (benches.length === 0) io.out.write('no benchmark exists yet\n')
      return 0
    }
    const found = benches.find(candidate => candidate.name === name)
    if (found === undefined) {
      const names = benches.map(candidate => candidate.name)
      throw new OnrushError('invalid', `no benchmark "${name}"; ${suggest(name, names)} onrush bench lists them`)
    }
    return runNode(found.file, rest, io)
  },
})

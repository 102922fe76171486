import { flag, many, one } from '../arguments/option.ts'
import { integer, text } from '../arguments/readings.ts'
import { defineCommand } from '../command.ts'
import { pair } from '../running/environment-flags.ts'

export const check = defineCommand({
  name: 'check',
  group: 'Load',
  summary: 'Check a simulation, then show one session of it in full.',
  options: {
    'no-run': flag('only check it; send nothing'),
    env: one({ placeholder: 'name', summary: "the script's environment (default: its first)", read: text }),
    set: many({
      short: 'e',
      placeholder: 'key=value',
      summary: 'a variable of the environment; may be repeated',
      read: pair,
    }),
    'env-file': one({ placeholder: 'file', summary: 'variables of the environment, one KEY=VALUE a line', read: text }),
    seed: one({
      placeholder: 'n',
      summary: 'for everything that is left to chance',
      read: integer(0, Number.MAX_SAFE_INTEGER),
    }),
  },
  operands: [{ name: 'simulation', summary: 'a script: .ts, .js, .yaml or .json' }],
  examples: ['onrush check simulations/login-flow.ts', 'onrush check checkout.ts --no-run'],
  async run(given, [file = ''], io) {
    const { checkSimulation } = await import('../trace/check-simulation.ts')
    return checkSimulation(file, given, io)
  },
})

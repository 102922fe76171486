import { flag } from '../arguments/option.ts'
import { defineCommand } from '../command.ts'

export const compile = defineCommand({
  name: 'compile',
  group: 'Develop',
  summary: 'Check and bundle every simulation of a folder.',
  options: {
    watch: flag('go on: compile again whatever changes, until Ctrl-C'),
    pull: flag('git pull first, fast-forward only'),
  },
  operands: [{ name: 'folder', summary: 'default: ONRUSH_SIMULATIONS, or simulations', optional: true }],
  examples: ['onrush compile', 'onrush compile load-tests --watch'],
  async run(given, [folder], io) {
    const { compileFolder } = await import('../compile/compile-folder.ts')
    return compileFolder(folder, given, io)
  },
})

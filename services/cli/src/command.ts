import type { Operand } from './arguments/operands.ts'
import type { Given, Options } from './arguments/option.ts'
import { parseArguments } from './arguments/parse.ts'
import { commandHelp } from './help.ts'
import type { Io } from './io.ts'

export type Group = 'Load' | 'Fleet' | 'Develop'

/** What the command table and the help know of a command. */
export interface Command {
  readonly name: string
  readonly group: Group
  readonly summary: string
  readonly options: Options
  readonly operands: readonly Operand[]
  readonly examples: readonly string[]
  /** Arguments after the command's name in, exit code out. Throws an OnrushError for what a person can mend. */
  run(args: readonly string[], io: Io): Promise<number>
}

interface Definition<O extends Options> extends Omit<Command, 'run' | 'options'> {
  readonly options: O
  readonly elsewhere?: Readonly<Record<string, string>>
  /** The words after the first are another program's arguments: they are handed on unread, as `words`. */
  readonly handsOn?: boolean
  run(given: Given<O>, words: readonly string[], io: Io): Promise<number>
}

export function defineCommand<O extends Options>(definition: Definition<O>): Command {
  const command: Command = {
    ...definition,
    async run(args, io) {
      const end = definition.handsOn ? args.findIndex(arg => !arg.startsWith('-')) + 1 || args.length : args.length
      const own = args.slice(0, end)
      if (asksForHelp(own)) {
        io.out.write(commandHelp(command))
        return 0
      }
      const { options, words } = parseArguments(own, definition)
      return definition.run(options, [...words, ...args.slice(end)], io)
    },
  }
  return command
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end < 0 ? args : args.slice(0, end)).some(arg => arg === '--help' || arg === '-h')
}

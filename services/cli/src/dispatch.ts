import { OnrushError } from '@onrush/protocol/error'
import { suggest } from '@onrush/protocol/nearest'
import { commands } from './commands.ts'
import { exitCodeOf } from './exit-codes.ts'
import { topHelp } from './help.ts'
import type { Io } from './io.ts'
import { printError } from './print-error.ts'
import { version } from './version.ts'

/** From the command line to an exit code. */
export async function dispatch(args: readonly string[], io: Io): Promise<number> {
  try {
    return await choose(args, io)
  } catch (error) {
    printError(error, io.err)
    return exitCodeOf(error)
  }
}

async function choose([name = '--help', ...rest]: readonly string[], io: Io): Promise<number> {
  if (name === '--version' || name === '-V') {
    io.out.write(`${version()}\n`)
    return 0
  }
  if (name === 'help') return choose(rest.length > 0 ? [...rest, '--help'] : ['--help'], io)
  if (name === '--help' || name === '-h') {
    io.out.write(topHelp(commands))
    return 0
  }
  const command = commands.find(candidate => candidate.name === name)
  if (command === undefined) {
    const names = commands.map(candidate => candidate.name)
    throw new OnrushError('invalid', `no command "${name}"; ${suggest(name, names)} onrush --help lists them`)
  }
  return command.run(rest, io)
}

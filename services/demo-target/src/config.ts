import { OnrushError } from '@onrush/protocol/error'
import { suggest } from '@onrush/protocol/nearest'
import type { Fault } from '@onrush/protocol/problem'

export interface Config {
  readonly host: string
  readonly port: number
  readonly https: boolean
  readonly grpcPort: number
  /** Where to make the shop as a SQLite file, if at all. */
  readonly sqlite: string | undefined
  readonly help: boolean
}

export const usage = `usage: onrush demo-target [--port 7090] [--grpc-port 7091] [--https] [--host 127.0.0.1]
                          [--sqlite <file>]

  --port <n>       where to listen; 0 takes any free port (7090)
  --grpc-port <n>  where to serve gRPC (the next one after --port; any free port when that is 0)
  --host <name>    the address to listen on (127.0.0.1)
  --https          with a certificate made at start, for gRPC too
  --sqlite <file>  makes the shop as a SQLite database too, the same at each start
`

const flags = ['--port', '--grpc-port', '--host', '--https', '--sqlite', '--help']

/** Reads the command line: every problem in it at once, each with its flag. */
export function readConfig(args: readonly string[]): Config {
  let [host, port, https, help] = ['127.0.0.1', 7090, false, false]
  let grpcPort: number | undefined
  let sqlite: string | undefined
  const errors: Fault[] = []
  const rest = args.flatMap(arg =>
    /^--[a-z-]+=/.test(arg) ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg],
  )
  while (rest.length > 0) {
    const flag = rest.shift() ?? ''
    if (flag === '--https') https = true
    else if (flag === '--help' || flag === '-h') help = true
    else if (flag === '--port' || flag === '--grpc-port' || flag === '--host' || flag === '--sqlite') {
      const value = rest[0]?.startsWith('--') ? undefined : rest.shift()
      if (flag === '--host' && value) host = value
      else if (flag === '--sqlite' && value) sqlite = value
      else if (
        flag !== '--host' &&
        flag !== '--sqlite' &&
        value &&
        /^\d{1,5}$/.test(value) &&
        Number(value) <= 65_535
      ) {
        if (flag === '--port') port = Number(value)
        else grpcPort = Number(value)
      } else errors.push({ path: flag, message: `expected ${expected[flag]}, got ${value ? `"${value}"` : 'nothing'}` })
    } else {
      errors.push({ path: flag, message: `not an option; ${suggest(flag, flags)}` })
      // What follows a mistyped option is most likely its value, not a mistake of its own.
      if (flag.startsWith('-') && rest[0]?.startsWith('-') === false) rest.shift()
    }
  }
  if (errors.length > 0)
    throw new OnrushError('invalid', errors.map(({ path, message }) => `${path}: ${message}`).join('\n'), { errors })
  return { host, port, https, help, sqlite, grpcPort: grpcPort ?? (port === 0 || port === 65_535 ? 0 : port + 1) }
}

const expected = {
  '--port': 'a port from 0 to 65535, such as --port 7090',
  '--grpc-port': 'a port from 0 to 65535, such as --grpc-port 7091',
  '--host': 'a host name or address, such as --host 127.0.0.1',
  '--sqlite': 'a file name, such as --sqlite shop.sqlite',
}

import { OnrushError } from '@onrush/protocol/error'
import { flag, many, one } from '../arguments/option.ts'
import { duration, integer, number, text } from '../arguments/readings.ts'
import { defineCommand } from '../command.ts'
import { pair } from '../running/environment-flags.ts'
import { stage } from '../running/stages.ts'
import { workers } from '../running/workers-flag.ts'

export const run = defineCommand({
  name: 'run',
  group: 'Load',
  summary: 'Run a simulation on this machine, on all cores but one.',
  options: {
    users: one({
      short: 'u',
      placeholder: 'n',
      summary: 'sessions at once; with --rate at most so many',
      read: integer(1, 10_000_000),
    }),
    duration: one({ short: 'd', placeholder: 'time', summary: 'how long, like 30s or 5m', read: duration }),
    rate: one({
      short: 'r',
      placeholder: 'n',
      summary: 'sessions started per second, whatever the target does',
      read: number(0.000_001, 10_000_000),
    }),
    iterations: one({
      short: 'i',
      placeholder: 'n',
      summary: 'a number of sessions, shared by --users',
      read: integer(1, 1_000_000_000),
    }),
    stage: many({
      placeholder: 'time:n',
      summary: 'go to n users within that time, or with --rate to n per second; may be repeated',
      read: stage,
    }),
    'start-after': one({ placeholder: 'time', summary: 'begin the load so much later', read: duration }),
    'ramp-down': one({ placeholder: 'time', summary: 'end the sessions over this time, not at once', read: duration }),
    'max-duration': one({ placeholder: 'time', summary: 'end the load after this time at the latest', read: duration }),
    'think-times': one({ placeholder: 'x', summary: 'multiply all pauses; 0 leaves them out', read: number(0, 1000) }),
    env: one({ placeholder: 'name', summary: "the script's environment (default: its first)", read: text }),
    set: many({
      short: 'e',
      placeholder: 'key=value',
      summary: 'a variable of the environment; may be repeated',
      read: pair,
    }),
    'env-file': one({ placeholder: 'file', summary: 'variables of the environment, one KEY=VALUE a line', read: text }),
    threads: one({
      placeholder: 'n',
      summary: 'threads that generate load (default: one per core less one)',
      read: integer(1, 1024),
    }),
    seed: one({
      placeholder: 'n',
      summary: 'for everything that is left to chance; the same seed repeats it',
      read: integer(0, Number.MAX_SAFE_INTEGER),
    }),
    out: one({ placeholder: 'folder', summary: 'where the report goes (default: runs/<run id>)', read: text }),
    json: flag('print the report as JSON, and nothing else, on the standard output'),
    quiet: flag('show nothing while the run goes on', 'q'),
    remote: one({
      placeholder: 'url',
      summary: 'run it on the fleet of this reporter; ONRUSH_TOKEN is shown where it is set',
      read: text,
    }),
    workers: one({
      placeholder: 'which',
      summary: 'with --remote: how many workers, "all", or ids with commas (default: all idle ones)',
      read: workers,
    }),
  },
  operands: [{ name: 'simulation', summary: 'a script: .ts, .js, .yaml or .json' }],
  examples: [
    'onrush run simulations/login-flow.ts',
    'onrush run checkout.ts -u 50 -d 1m',
    'onrush run checkout.ts -r 200 -d 5m --env staging -e currency=EUR',
    'onrush run checkout --remote http://reporter:7070 --workers 4',
    'onrush run checkout.ts --stage 30s:20 --stage 2m:20 --stage 10s:0',
  ],
  async run(given, [file = ''], io) {
    const { remote } = given
    if (remote !== undefined) {
      const { runRemote } = await import('../running/run-remote.ts')
      return runRemote(file, { ...given, remote }, io)
    }
    if (given.workers !== undefined) {
      const message = 'only a fleet has workers: give --remote too'
      throw new OnrushError('invalid', `cannot read the arguments`, { errors: [{ path: '--workers', message }] })
    }
    const { runSimulation } = await import('../running/run-simulation.ts')
    return runSimulation(file, given, io)
  },
})

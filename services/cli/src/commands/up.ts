import { availableParallelism } from 'node:os'
import { flag, one } from '../arguments/option.ts'
import { integer, text } from '../arguments/readings.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { portOption } from '../fleet/service-flags.ts'

export const up = defineCommand({
  name: 'up',
  group: 'Fleet',
  summary: 'Start a whole fleet on this machine: Redis where none is given, a reporter, workers.',
  options: {
    workers: one({
      short: 'w',
      placeholder: 'n',
      summary: 'how many workers (default 1)',
      read: integer(0, 100),
      fallback: 1,
    }),
    port: portOption(7070),
    threads: one({
      placeholder: 'n',
      summary: 'threads of each worker (default: the cores less one, shared among them)',
      read: integer(1, 1024),
    }),
    redis: one({
      placeholder: 'url',
      summary: 'a Redis that is there already (default: REDIS_URL, or one of its own)',
      read: text,
    }),
    data: one({ placeholder: 'folder', summary: 'where everything is kept (default .data)', read: text }),
    simulations: one({ placeholder: 'folder', summary: 'where simulations lie (default simulations)', read: text }),
    demo: flag('start the demo target too (port 7090, gRPC 7091, or free ones), and a first run on it'),
  },
  operands: [],
  examples: ['onrush up --workers 2', 'onrush up --demo', 'onrush up --port 0 --redis redis://127.0.0.1:6379'],
  async run(given, _words, io) {
    const { buildDashboard } = await import('@onrush/servers/dashboard-build')
    const { bringUp } = await import('../fleet/bring-up.ts')
    const { beginDemo } = await import('../fleet/demo-run.ts')
    const {
      workers,
      port = 7070,
      threads = Math.max(1, Math.floor((availableParallelism() - 1) / Math.max(1, workers))),
    } = given
    const asked = Promise.withResolvers<'asked'>()
    let impatient: (() => void) | undefined
    const off = io.onSignal(() => {
      asked.resolve('asked')
      impatient?.()
    })
    // The services are children that do not keep us running: we wait for a signal, which does not either.
    const awake = setInterval(() => {}, 60_000)
    try {
      await buildDashboard({ say: text => io.err.write(`onrush: ${text}\n`) })
      const fleet = await bringUp({ ...given, port, threads }, io)
      io.out.write(
        `reporter on ${fleet.url} with ${workers} ${workers === 1 ? 'worker' : 'workers'}; Ctrl-C ends all in order\n`,
      )
      if (fleet.demo !== undefined) await beginDemo(fleet.url, fleet.demo, io)
      const why = await Promise.race([asked.promise, fleet.broken])
      if (why !== 'asked') {
        io.err.write(`onrush: ${why}\n`)
        await fleet.kill()
        return exitCodes.internal
      }
      io.err.write('onrush: ending in order; runs under way are drained and reported. Again ends at once\n')
      const forced = new Promise<'forced'>(resolve => {
        impatient = () => resolve('forced')
      })
      if ((await Promise.race([fleet.end(), forced])) === 'forced') await fleet.kill()
      return exitCodes.passed
    } finally {
      clearInterval(awake)
      off()
    }
  },
})

import { join } from 'node:path'
import { defineCommand } from '../command.ts'
import { portOption, serviceEnv, serviceOptions } from '../fleet/service-flags.ts'
import { runNode } from '../run-node.ts'
import { root } from '../tree.ts'

export const reporter = defineCommand({
  name: 'reporter',
  group: 'Fleet',
  summary: 'Start a reporter: it takes runs over REST, coordinates workers, and builds reports.',
  options: { port: portOption(7070), ...serviceOptions },
  operands: [],
  examples: [
    'onrush reporter --redis redis://redis:6379',
    'ONRUSH_TOKEN=… onrush reporter --host 0.0.0.0 --simulations /srv/simulations',
  ],
  async run(flags, _words, io) {
    const { buildDashboard } = await import('@onrush/servers/dashboard-build')
    await buildDashboard({ say: text => io.err.write(`onrush: ${text}\n`) })
    return runNode(join(root, 'services/reporter/src/main.ts'), [], { ...io, env: serviceEnv(flags, io) })
  },
})

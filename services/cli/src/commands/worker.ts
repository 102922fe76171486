import { join } from 'node:path'
import { one } from '../arguments/option.ts'
import { integer } from '../arguments/readings.ts'
import { defineCommand } from '../command.ts'
import { portOption, serviceEnv, serviceOptions } from '../fleet/service-flags.ts'
import { runNode } from '../run-node.ts'
import { root } from '../tree.ts'

export const worker = defineCommand({
  name: 'worker',
  group: 'Fleet',
  summary: 'Start a worker: it takes its part of each run and generates load. It needs nothing but Redis.',
  options: {
    port: portOption(7071),
    threads: one({
      placeholder: 'n',
      summary: 'threads that generate load (default: one per core less one)',
      read: integer(1, 1024),
    }),
    ...serviceOptions,
  },
  operands: [],
  examples: ['onrush worker --redis redis://redis:6379', 'onrush worker --port 0 --threads 4'],
  run: (flags, _words, io) =>
    runNode(join(root, 'services/worker/src/main.ts'), [], { ...io, env: serviceEnv(flags, io) }),
})

import { join } from 'node:path'
import { flag, one } from '../arguments/option.ts'
import { integer, text } from '../arguments/readings.ts'
import { defineCommand } from '../command.ts'
import { runNode } from '../run-node.ts'
import { root } from '../tree.ts'

export const demoTarget = defineCommand({
  name: 'demo-target',
  group: 'Develop',
  summary: 'Start a small HTTP and gRPC service to try load tests on.',
  options: {
    port: one({
      placeholder: 'port',
      summary: 'port to listen on (default 7090; 0 picks a free one)',
      read: integer(0, 65_535),
    }),
    'grpc-port': one({
      placeholder: 'port',
      summary: 'port to serve gRPC on (default: the one after --port; 0 picks a free one)',
      read: integer(0, 65_535),
    }),
    host: one({ placeholder: 'address', summary: 'address to listen on (default 127.0.0.1)', read: text }),
    https: flag('serve https with a self-signed certificate made at start'),
    sqlite: one({ placeholder: 'file', summary: 'make the shop as a SQLite database there too', read: text }),
  },
  operands: [],
  examples: ['onrush demo-target', 'onrush demo-target --port 8443 --https', 'onrush demo-target --sqlite shop.sqlite'],
  run({ port, 'grpc-port': grpcPort, host, https, sqlite }, _words, io) {
    const args = [
      ...(port === undefined ? [] : [`--port=${port}`]),
      ...(grpcPort === undefined ? [] : [`--grpc-port=${grpcPort}`]),
      ...(host === undefined ? [] : [`--host=${host}`]),
      ...(https ? ['--https'] : []),
      ...(sqlite === undefined ? [] : [`--sqlite=${sqlite}`]),
    ]
    return runNode(join(root, 'services/demo-target/src/main.ts'), args, io)
  },
})

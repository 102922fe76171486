import { once } from 'node:events'
import { createServer } from 'node:net'

/** A loopback port that nobody uses now. Somebody may take it before it is used: who uses it must be ready to try again. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('a TCP server without a port')
  return address.port
}

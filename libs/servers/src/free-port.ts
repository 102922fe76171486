import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below those that systems give to outgoing connections (from 32,768 on Linux, from 49,152 elsewhere): a client must not
// sit on a server's port while the server is started or restarted.
const lowest = 10_000
const highest = 32_000
const mostTries = 20

/** A loopback port that nobody uses now. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest)
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') continue
      throw error
    }
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Starts a server on a free port, and on another one when somebody else took that one meanwhile. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const port = await freePort()
    try {
      return await start(port)
    } catch (error) {
      if (tries === mostTries || !(error instanceof Error) || !isTaken(error.message)) throw error
    }
  }
}

/** As the C library says it, and so every server. */
const isTaken = (said: string): boolean => /address already in use/i.test(said)

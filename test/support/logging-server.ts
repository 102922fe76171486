import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { onTestFinished } from 'vitest'

export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  /** Unix time in milliseconds, with fractions. */
  readonly at: number
}

export interface LoggingServer {
  readonly url: string
  readonly seen: Seen[]
  /** Ends all connections and takes no new ones. */
  down(): Promise<void>
  up(): Promise<void>
}

/** Answers `{ said }` to everything and keeps what it was asked, in order. */
export async function loggingServer(said?: string): Promise<LoggingServer> {
  const seen: Seen[] = []
  let port = 0
  let server: Server
  const up = async (): Promise<void> => {
    server = createServer((request, response) => {
      const { method = '', url = '', headers } = request
      seen.push({ method, url, headers, at: performance.timeOrigin + performance.now() })
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ said }))
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (typeof address === 'object' && address !== null) port = address.port
  }
  const down = async (): Promise<void> => {
    server.closeAllConnections()
    const closed = once(server, 'close')
    server.close()
    await closed
  }
  await up()
  onTestFinished(down)
  return { url: `http://127.0.0.1:${port}`, seen, up, down }
}

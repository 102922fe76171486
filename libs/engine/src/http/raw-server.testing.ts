import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

export interface RawServer extends AsyncDisposable {
  readonly origin: string
  readonly port: number
  /** What arrived, connection by connection. */
  readonly received: string[]
  readonly sockets: Set<Socket>
}

/** A server of bytes: it answers each piece of text that arrives with what `answer` does to the socket. */
export async function rawServer(
  answer: (socket: Socket, text: string) => void,
  create = createServer,
): Promise<RawServer> {
  const received: string[] = []
  const sockets = new Set<Socket>()
  const server: Server = create((socket: Socket) => {
    sockets.add(socket)
    const at = received.push('') - 1
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', chunk => {
      received[at] += chunk.toString('latin1')
      answer(socket, chunk.toString('latin1'))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    received,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

export const ok = (body: string, headers = ''): string =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`

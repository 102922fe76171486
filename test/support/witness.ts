import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Witness {
  readonly port: number
  /** Connections that arrived, and the bytes of each. */
  readonly connections: Buffer[]
}

/** A listening socket that says nothing and keeps whatever reaches it: proof that nothing did. */
export async function witness(address: string, port = 0): Promise<Witness> {
  const connections: Buffer[] = []
  const server = createServer(socket => {
    const at = connections.push(Buffer.alloc(0)) - 1
    socket.on('error', () => socket.destroy())
    socket.on('data', chunk => {
      connections[at] = Buffer.concat([connections[at] ?? Buffer.alloc(0), chunk])
    })
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const sockets = new Set<{ destroy(): void }>()
  server.listen(port, address)
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const bound = server.address()
  return { port: typeof bound === 'object' && bound !== null ? bound.port : port, connections }
}

/** The same for UDP: the packets that arrived. */
export async function datagramWitness(address: string, port = 0): Promise<{ port: number; packets: string[] }> {
  const packets: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', message => packets.push(String(message)))
  socket.bind(port, address)
  await once(socket, 'listening')
  onTestFinished(async () => {
    socket.close()
    await once(socket, 'close')
  })
  return { port: socket.address().port, packets }
}

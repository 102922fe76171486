import { createServer as createHttp } from 'node:http'
import { createServer as createTcp, type Socket } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { selfSigned } from './certificate.ts'
import { createFront } from './front.ts'
import type { GrpcServer } from './grpc/grpc-server.ts'
import { welcome } from './guide.ts'
import { createHandler } from './handler.ts'
import { listen } from './listen.ts'
import { QuickHeads } from './quick.ts'
import type { Route } from './route.ts'
import { Router } from './router.ts'
import { bodyRoutes } from './routes/bodies.ts'
import { faultRoutes } from './routes/faults.ts'
import { fixedRoutes } from './routes/fixed.ts'
import { itemRoutes } from './routes/items.ts'
import { loginRoutes } from './routes/login.ts'
import { navigationRoutes } from './routes/navigation.ts'
import { orderRoutes } from './routes/orders.ts'
import { rpcRoutes } from './routes/rpc.ts'
import { Sequences } from './sequences.ts'
import { type Connection, Stats } from './stats/stats.ts'

export interface TargetOptions {
  readonly host?: string
  /** 0 takes any free port. */
  readonly port?: number
  readonly https?: boolean
  /** Where to serve gRPC; 0 takes any free port. Without it there is none. */
  readonly grpcPort?: number
}

export interface Target {
  readonly url: string
  /** `127.0.0.1:7091`, when it was asked for. */
  readonly grpc: string | undefined
  /** Cuts every connection and frees the ports. */
  close(): Promise<void>
}

/** Long enough that no pause in a test ends a connection which the client believes to be open. */
const keepAlive = 10 * 60_000

export async function createTarget({
  host = '127.0.0.1',
  port = 0,
  https = false,
  grpcPort,
}: TargetOptions = {}): Promise<Target> {
  const stats = new Stats()
  const sequences = new Sequences()
  const connections = new WeakMap<Socket, Connection>()
  const sockets = new Set<Socket>()
  let url = ''
  let grpc: GrpcServer | undefined

  const routes: Route[] = [
    ...fixedRoutes,
    ...loginRoutes,
    ...itemRoutes,
    ...orderRoutes(sequences),
    ...bodyRoutes,
    ...navigationRoutes,
    ...faultRoutes(sequences),
    ...rpcRoutes(stats),
  ]
  const home: Route = {
    template: '/',
    handlers: { GET: exchange => exchange.text(200, welcome(url, grpc?.address, routes)) },
  }

  const connectionOf = (socket: Socket): Connection => {
    const known = connections.get(socket)
    if (known !== undefined) return known
    const connection = stats.connected()
    connections.set(socket, connection)
    socket.on('close', () => stats.disconnected())
    return connection
  }
  const router = new Router([home, ...routes])
  const http = createHttp(
    { keepAliveTimeout: keepAlive, requestTimeout: 0 },
    createHandler({ router, stats, sequences, connectionOf }),
  )
  const front = createFront(new QuickHeads(routes), stats, http)

  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // A client may hang up at any moment; the requests it leaves behind are counted as aborted where they are answered.
    socket.on('error', () => socket.destroy())
  }
  const accept = (socket: Socket) => {
    track(socket)
    front(socket, connectionOf(socket))
  }
  // Half-open, as node's own HTTP server is: a client may close its side and still wait for the answer.
  const options = { noDelay: true, allowHalfOpen: true }
  const certificate = https ? await selfSigned(host) : undefined
  const server =
    certificate === undefined
      ? createTcp(options, accept)
      : createTls({ ...options, ...certificate, ALPNProtocols: ['http/1.1'] }, accept).on('connection', track)
  const close = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server.close(error => (error === undefined ? resolve() : reject(error)))
      for (const socket of sockets) socket.destroy()
    })

  url = `${https ? 'https' : 'http'}://${await listen(server, host, port)}`
  if (grpcPort !== undefined) {
    try {
      // Loaded when asked for: most tests do without.
      const { startGrpc } = await import('./grpc/grpc-server.ts')
      grpc = await startGrpc({ host, port: grpcPort, certificate, stats })
    } catch (error) {
      await close()
      throw error
    }
  }
  return {
    url,
    grpc: grpc?.address,
    close: async () => {
      grpc?.close()
      await close()
    },
  }
}

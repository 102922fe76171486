import { IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { serve, upgradeWebSocket } from '@hono/node-server'
import { OnrushError } from '@onrush/protocol/error'
import { limits } from '@onrush/protocol/limits'
import type { Context, Hono } from 'hono'
import { WebSocket, WebSocketServer } from 'ws'
import type { FeedSocket } from './feed.ts'

export interface Listening {
  readonly url: string
  readonly host: string
  readonly port: number
  close(): Promise<void>
}

export interface ClientSocket extends FeedSocket {
  close(code: number, reason: string): void
}

export interface SocketHandlers {
  open(socket: ClientSocket): void
  message?(text: string): void
  closed(): void
}

/** Clients send us short commands at most; a larger message ends the connection. */
const maxPayload = limits.socketMessage.value

/** How many clients a route has room for, and what one that finds none is told. */
export interface Room {
  readonly most: number
  readonly full: string
}

/** A websocket route. What it does with the connection is said by `begin`, called for each client. */
export const websocket = (
  begin: (request: {
    param(name: string): string | undefined
    query(name: string): string | undefined
  }) => SocketHandlers | Promise<SocketHandlers>,
  { most, full }: Room,
) => {
  const seated = new Set<Socket>()
  return upgradeWebSocket(async c => {
    const handlers = await begin(c.req)
    const connection = upgrading(c)
    if (connection !== undefined && !seated.has(connection)) {
      // Taken before the handshake is over: of hundreds that come at once none slips in between a look and its place.
      if (seated.size >= most) throw new OnrushError('too_many', full)
      seated.add(connection)
      connection.once('close', () => seated.delete(connection))
    }
    return {
      onOpen: (_, ws) => {
        if (ws.raw instanceof WebSocket) handlers.open(ws.raw)
      },
      onMessage: event => handlers.message?.(String(event.data)),
      onClose: () => handlers.closed(),
    }
  })
}

/** The connection that is to become a websocket; none for a request that only looks. */
function upgrading(c: Context): Socket | undefined {
  const asks = c.req.header('upgrade')?.toLowerCase() === 'websocket'
  const incoming: unknown =
    asks && typeof c.env === 'object' && c.env !== null ? Reflect.get(c.env, 'incoming') : undefined
  return incoming instanceof IncomingMessage && !incoming.socket.destroyed ? incoming.socket : undefined
}

/** Serves an app until closed. Closing lets answers under way finish for a moment, and ends the rest. */
export async function listen(
  app: Pick<Hono, 'fetch'>,
  host: string,
  port: number,
  graceMs = 2_000,
): Promise<Listening> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false })
  const { promise, resolve, reject } = Promise.withResolvers<AddressInfo>()
  const server = serve(
    {
      fetch: app.fetch,
      hostname: host,
      port,
      websocket: { server: sockets },
      serverOptions: {
        headersTimeout: 10_000,
        requestTimeout: 600_000,
        keepAliveTimeout: 65_000,
        maxHeaderSize: limits.headers.value,
        // How often requests that dawdle are looked for: Node's own 30 s would triple their limit.
        connectionsCheckingInterval: 2_000,
      },
    },
    resolve,
  ) as Server
  server.maxConnections = limits.connections.value
  server.once('error', cause =>
    reject(new OnrushError('unavailable', `cannot listen on ${host}:${port}: ${cause.message}`, { cause })),
  )
  const address = await promise
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    url: `http://${name}:${address.port}`,
    host,
    port: address.port,
    async close() {
      for (const client of sockets.clients) client.close(1001, 'the service is stopping')
      const closed = new Promise<void>(done => server.close(() => done()))
      server.closeIdleConnections()
      const timer = setTimeout(() => {
        for (const client of sockets.clients) client.terminate()
        server.closeAllConnections()
      }, graceMs)
      await closed
      clearTimeout(timer)
      sockets.close()
    },
  }
}

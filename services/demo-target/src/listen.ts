import type { Server } from 'node:net'
import { OnrushError } from '@onrush/protocol/error'

/** Binds the server and gives the `host:port` under which it can be reached. */
export function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', cause => reject(new OnrushError('unavailable', whyNot(cause, host, port), { cause })))
    // A test may open thousands of connections at once; the kernel cuts this to its own limit.
    server.listen({ host, port, backlog: 65_535 }, () => {
      const address = server.address()
      const bound = typeof address === 'object' && address !== null ? address.port : port
      resolve(`${host.includes(':') ? `[${host}]` : host}:${bound}`)
    })
  })
}

/** `flag` is the one that chooses the port. */
export function whyNot(
  cause: { readonly code?: string | undefined; readonly message: string },
  host: string,
  port: number,
  flag = '--port',
): string {
  if (cause.code === 'EADDRINUSE')
    return `port ${port} on ${host} is in use; choose another with ${flag}, or ${flag} 0 for any free one`
  if (cause.code === 'EACCES') return `port ${port} may not be opened by this user; choose one above 1023 with ${flag}`
  if (cause.code === 'EADDRNOTAVAIL' || cause.code === 'ENOTFOUND' || cause.code === 'EAI_AGAIN')
    return `${host} is not an address of this machine; choose one with --host, such as 127.0.0.1`
  return `cannot listen on ${host}:${port}: ${cause.message}`
}

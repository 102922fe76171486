import type { Socket } from 'node:net'
import { OnrushError } from '@onrush/protocol/error'
import { ExchangeError } from './failure.ts'

export interface ProxyServer {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  /** `Basic …`, `undefined` when the proxy asks for nobody's name. */
  readonly authorization: string | undefined
}

export function readProxy(written: string): ProxyServer {
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    // The text may hold a password, so it is not repeated.
    throw new OnrushError('invalid', 'http.proxy: expected a URL like "http://user:password@host:port"')
  }
  const secure = url.protocol === 'https:'
  const name = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return {
    host: bareHost(url.hostname),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    secure,
    authorization: name === ':' ? undefined : `Basic ${Buffer.from(name).toString('base64')}`,
  }
}

/** `[::1]` is how a URL writes `::1`. */
export const bareHost = (host: string): string => (host.startsWith('[') ? host.slice(1, -1) : host)

const headEnd = '\r\n\r\n'
const longestHead = 16_384

/** Asks a proxy for a tunnel. `done` is called once; the socket is then the target's, or of no more use. */
export function openTunnel(socket: Socket, authority: string, proxy: ProxyServer, done: (error?: Error) => void): void {
  let head = ''
  const finish = (error?: Error) => {
    socket.off('readable', onReadable)
    socket.off('end', onEnd)
    done(error)
  }
  const onEnd = () => finish(new ExchangeError('proxy', 'the proxy closed the connection when asked for a tunnel'))
  // Read piece by piece and not as events: a stream that flows would swallow what follows the head.
  const onReadable = () => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
      head += chunk.toString('latin1')
      const end = head.indexOf(headEnd)
      if (end === -1 && head.length < longestHead) continue
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]
      if (end !== -1 && status?.startsWith('2')) {
        const rest = head.slice(end + headEnd.length)
        if (rest !== '') socket.unshift(Buffer.from(rest, 'latin1'))
        finish()
      } else finish(new ExchangeError('proxy', `the proxy refused a tunnel to ${authority}: ${firstLine(head)}`))
      return
    }
  }
  socket.on('readable', onReadable).on('end', onEnd)
  const authorization = proxy.authorization === undefined ? '' : `proxy-authorization: ${proxy.authorization}\r\n`
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${authorization}\r\n`, 'latin1')
}

const firstLine = (head: string): string => head.slice(0, 200).split('\r\n')[0] ?? ''

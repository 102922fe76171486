import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGzip } from 'node:zlib'

/** What a service says to raw bytes, as far as it says anything before it closes or the time is over. */
export async function raw(url: string, text: string, limitMs = 30_000): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('latin1').on('data', chunk => {
    answer += chunk
  })
  socket.on('error', () => socket.destroy())
  socket.write(text, 'latin1')
  // A reset is an answer too.
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  await Promise.race([closed, sleep(limitMs, undefined, { ref: false })])
  socket.destroy()
  return answer
}

const statusIn = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)

/** A path exactly as it is written: a client would clean it up. */
export async function rawStatus(url: string, path: string, headers = ''): Promise<{ status: number; answer: string }> {
  const answer = await raw(
    url,
    `GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n${headers}connection: close\r\n\r\n`,
  )
  return { status: statusIn(answer), answer }
}

/** Ways to name a file outside, for each place where a name could become one. */
export const pathTricks: readonly string[] = [
  '..',
  '../../../../../../etc/passwd',
  '..%2f..%2f..%2f..%2f..%2fetc%2fpasswd',
  '%2e%2e/%2e%2e/%2e%2e/etc/passwd',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '%252e%252e%252fetc%252fpasswd',
  '..%5c..%5cetc%5cpasswd',
  '....//....//etc/passwd',
  '..;/..;/etc/passwd',
  '/etc/passwd',
  '%2fetc%2fpasswd',
  'x%00.csv',
  '..%c0%af..%c0%afetc%c0%afpasswd',
  '.git/config',
  '.upload-x',
  'CON',
  'a'.repeat(5_000),
  '%',
  '%ff%fe',
  '\\..\\..\\etc\\passwd',
]

export interface Flood {
  /** Bytes that the service took before it answered or hung up. */
  readonly sent: number
  readonly status: number
}

/** A body that never seems to end, in pieces; `declared` says its length beforehand. */
export async function floodBody(url: string, path: string, bytes: number, declared: boolean): Promise<Flood> {
  let sent = 0
  const call = request(`${url}${path}`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', ...(declared ? { 'content-length': bytes } : {}) },
  })
  const piece = Buffer.alloc(1_048_576, ' ')
  let status = 0
  let over = false
  call.on('response', response => {
    status = response.statusCode ?? 0
    response.resume()
    over = true
  })
  const closed = new Promise<void>(resolve => call.once('close', resolve))
  call.on('error', () => {
    over = true
  })
  while (sent < bytes && !over) {
    sent += piece.length
    const drained = new Promise<void>(resolve => call.once('drain', resolve))
    if (!call.write(piece)) await Promise.race([drained, closed, sleep(5_000, undefined, { ref: false })])
    await new Promise(resolve => setImmediate(resolve))
  }
  if (!over) call.end()
  await Promise.race([closed, sleep(5_000, undefined, { ref: false })])
  call.destroy()
  return { sent, status }
}

/** A small gzip of a large nothing. */
export async function bomb(bytes: number): Promise<Buffer> {
  const zip = createGzip({ level: 9 })
  const chunks: Buffer[] = []
  zip.on('data', (chunk: Buffer) => chunks.push(chunk))
  const piece = Buffer.alloc(1_048_576, '[')
  for (let sent = 0; sent < bytes; sent += piece.length) if (!zip.write(piece)) await once(zip, 'drain')
  zip.end()
  await once(zip, 'end')
  return Buffer.concat(chunks)
}

export interface Opened {
  readonly open: number
  readonly refused: number
  readonly failed: number
  close(): Promise<void>
}

/** So many websockets at once. */
export async function openSockets(url: string, path: string, count: number): Promise<Opened> {
  const { hostname, port, host } = new URL(url)
  const handshake = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n`
  const sockets: Socket[] = []
  let [open, refused, failed] = [0, 0, 0]
  const one = () =>
    new Promise<void>(resolve => {
      const socket = connect(Number(port), hostname)
      sockets.push(socket)
      const done = (what: () => void) => {
        what()
        clearTimeout(timer)
        socket.removeAllListeners('data').resume()
        resolve()
      }
      const timer = setTimeout(() => done(() => failed++), 60_000)
      socket.on('error', () => socket.destroy())
      socket.once('close', () => done(() => (socket.bytesRead === 0 ? failed++ : 0)))
      socket.on('data', (chunk: Buffer) => {
        const status = statusIn(chunk.toString('latin1'))
        if (status === 101) done(() => open++)
        else done(() => refused++)
        if (status !== 101) socket.destroy()
      })
      socket.write(handshake)
    })
  const waiting = Array.from({ length: count }, (_, i) => i)
  const lane = async () => {
    while (waiting.pop() !== undefined) await one()
  }
  await Promise.all(Array.from({ length: 200 }, lane))
  return {
    open,
    refused,
    failed,
    async close() {
      for (const socket of sockets) socket.destroy()
      await sleep(500)
    },
  }
}

/** Clients that send a byte now and then and never come to an end; how long until the service has closed all of them. */
export async function slowLoris(url: string, clients: number, limitMs: number): Promise<number> {
  const { hostname, port, host } = new URL(url)
  const began = performance.now()
  let closed = 0
  const sockets = Array.from({ length: clients }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => closed++)
    socket.resume()
    socket.write(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\n`)
    return socket
  })
  while (closed < clients && performance.now() - began < limitMs) {
    for (const socket of sockets) if (!socket.destroyed) socket.write('x')
    await sleep(500)
  }
  for (const socket of sockets) socket.destroy()
  return closed === clients ? performance.now() - began : Number.POSITIVE_INFINITY
}

/** Whether a websocket is closed soon after such bytes came over it. */
export async function closedAfter(url: string, path: string, bytes: Uint8Array): Promise<boolean> {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => socket.destroy())
  const closed = new Promise<boolean>(resolve => socket.once('close', () => resolve(true)))
  await new Promise<void>(resolve => {
    socket.once('data', () => resolve())
    socket.once('close', () => resolve())
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n`,
    )
  })
  socket.resume().write(bytes)
  const isClosed = await Promise.race([closed, sleep(30_000, false, { ref: false })])
  socket.destroy()
  return isClosed
}

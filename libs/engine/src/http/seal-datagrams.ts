import { Socket } from 'node:dgram'
import { isIP } from 'node:net'
import { ExchangeError } from './failure.ts'
import type { TargetGuard } from './target-guard.ts'

type Found = (error: Error | null, address: string) => void
type Lookup = (name: string, found: Found) => void
type Callback = (error: Error) => void

/**
 * The same as `sealSockets` for the UDP packets that a script's own code sends: each destination is judged, and the
 * address that was judged is the one that it goes to. Sockets that are connected were judged when they connected.
 */
export function sealDatagrams(guard: TargetGuard): void {
  const { send, connect } = Socket.prototype
  seal('send', function (args) {
    const at = portIndex(args)
    if (at === undefined || isConnected(this)) return Reflect.apply(send, this, args)
    return judged(guard, this, args, at, send)
  })
  seal('connect', function (args) {
    return judged(guard, this, args, 0, connect)
  })
}

function seal(name: 'send' | 'connect', judge: (this: Socket, args: unknown[]) => unknown): void {
  const value = function (this: Socket, ...args: unknown[]) {
    return Reflect.apply(judge, this, [args])
  }
  Object.defineProperty(Socket.prototype, name, { value, writable: true, configurable: true })
}

/** Calls what was asked for with the address that was judged, or fails it as the socket fails what it cannot send. */
function judged(
  guard: TargetGuard,
  socket: Socket,
  args: unknown[],
  at: number,
  go: Socket['send'] | Socket['connect'],
) {
  const [port, given] = args.slice(at)
  // What is no address is refused by the socket itself.
  if (given !== undefined && given !== null && typeof given !== 'string' && !isCallback(given))
    return Reflect.apply(go, socket, args)
  const host = typeof given === 'string' && given !== '' ? given : loopbackOf(socket)
  const callback = args.slice(at + 1).find(isCallback)
  const fail = (error: Error): void => {
    // Whoever sends listens from the next turn on.
    setImmediate(() => (callback === undefined ? socket.emit('error', error) : callback(error)))
  }
  const lookup = pin(socket)
  const to = (address: string): void => {
    const refusal = guard.refusal(host, address, Number(port))
    if (refusal !== undefined) fail(new ExchangeError('target_refused', refusal))
    else Reflect.apply(go, socket, [...args.slice(0, at + 1), address, callback])
  }
  if (isIP(host) !== 0 || lookup === undefined) return to(host)
  lookup(host, (error, address) => {
    try {
      if (error !== null) fail(error)
      else to(address)
    } catch (closed) {
      // While its name was looked up the socket was closed: nobody is there to be thrown at.
      if (callback !== undefined && closed instanceof Error) callback(closed)
    }
  })
}

/** Where the port stands: `send(what, port, …)` or `send(what, offset, length, port, …)`; nowhere in `send(what)`. */
function portIndex(args: readonly unknown[]): number | undefined {
  const [, second, , fourth, fifth] = args
  if (fifth || (fourth && !isCallback(fourth))) return 3
  return second === undefined || isCallback(second) ? undefined : 1
}

function isConnected(socket: Socket): boolean {
  try {
    socket.remoteAddress()
    return true
  } catch {
    // How a socket says that it is not, or not any more.
    return false
  }
}

const pinned = new WeakMap<object, Lookup>()

/**
 * The socket's own lookup, which a script may have given it. In its place the socket gets one that leaves addresses as they
 * are: it would ask again, after the judgement. `undefined` for a socket that is closed.
 */
function pin(socket: Socket): Lookup | undefined {
  const symbol = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'state symbol')
  const state: unknown = symbol === undefined ? undefined : Reflect.get(socket, symbol)
  if (typeof state !== 'object' || state === null)
    throw new ExchangeError('target_refused', 'refused: UDP sockets of this version of Node cannot be guarded')
  const handle: unknown = Reflect.get(state, 'handle')
  if (typeof handle !== 'object' || handle === null) return undefined
  const known = pinned.get(handle)
  if (known !== undefined) return known
  const own: unknown = Reflect.get(handle, 'lookup')
  if (!isLookup(own))
    throw new ExchangeError('target_refused', 'refused: UDP sockets of this version of Node cannot be guarded')
  const asked: Lookup = (name, found) => Reflect.apply(own, handle, [name, found])
  pinned.set(handle, asked)
  Reflect.set(handle, 'lookup', (address: string, found: Found) => found(null, address))
  return asked
}

const loopbackOf = (socket: Socket): string => (Reflect.get(socket, 'type') === 'udp6' ? '::1' : '127.0.0.1')
const isCallback = (value: unknown): value is Callback => typeof value === 'function'
const isLookup = (value: unknown): value is Lookup => typeof value === 'function'

import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction, Socket } from 'node:net'
import { ExchangeError } from './failure.ts'
import type { TargetGuard } from './target-guard.ts'

/** Addresses of names remembered; beyond, the first ones are asked about again. */
const mostGranted = 10_000

/**
 * Puts a guard before every TCP connection of this thread: those of steps, and those that a script's own code opens
 * with `fetch` or a package. It stands in the prototype because that is the one place all of them pass; a thread serves
 * one run and ends with it. Answers the guard for those who look names up themselves and connect to addresses.
 */
export function sealSockets(guard: TargetGuard): TargetGuard {
  const granted = new Set<string>()
  const sealed: TargetGuard = {
    refusal(host, address, port) {
      const refusal = guard.refusal(host, address, port)
      if (refusal === undefined && address !== undefined) {
        if (granted.size >= mostGranted) granted.clear()
        granted.add(`${address} ${port}`)
      }
      return refusal
    },
  }
  const connect = Socket.prototype.connect
  const replacement = function (this: Socket, ...args: unknown[]): Socket {
    const options = optionsOf(args)
    const host = options.path === undefined ? (options.host ?? 'localhost') : 'localhost'
    const port = options.path === undefined ? options.port : 0
    // A Unix socket is this machine, by no address of it.
    const literal = options.path === undefined && isIP(host) !== 0 ? host : undefined
    const isName = options.path === undefined && literal === undefined
    if (!isName && !granted.has(`${literal} ${port}`)) {
      const refusal = sealed.refusal(host, literal, port)
      if (refusal !== undefined) {
        // Until it is destroyed others may write to it, and wait for its connection.
        Reflect.set(this, 'connecting', true)
        // Whoever connects listens from the next turn on.
        setImmediate(() => this.destroy(new ExchangeError('target_refused', refusal)))
        return this
      }
    }
    if (isName) options.set({ lookup: checkedLookup(sealed, port, options.lookup) })
    return Reflect.apply(connect, this, args)
  }
  Object.defineProperty(Socket.prototype, 'connect', { value: replacement, writable: true, configurable: true })
  return sealed
}

/** The addresses that were judged are those that are connected to: there is no second lookup. */
function checkedLookup(guard: TargetGuard, port: number, lookup: LookupFunction | undefined): LookupFunction {
  return (name, options, found) => {
    const judge = (error: NodeJS.ErrnoException | null, addresses: string | LookupAddress[], family?: number) => {
      if (error !== null) return found(error, addresses, family)
      const all = typeof addresses === 'string' ? [addresses] : addresses.map(({ address }) => address)
      const refusal = all.map(each => guard.refusal(name, each, port)).find(each => each !== undefined)
      if (refusal === undefined) found(null, addresses, family)
      else found(new ExchangeError('target_refused', refusal), '', 0)
    }
    if (lookup === undefined) systemLookup(name, options, judge)
    else lookup(name, options, judge)
  }
}

interface Wanted {
  readonly host: string | undefined
  readonly port: number
  readonly path: string | undefined
  readonly lookup: LookupFunction | undefined
  set(more: { lookup: LookupFunction }): void
}

/** `connect(options)`, `connect(port, host)`, `connect(path)`, or Node's own list of options and listener. */
function optionsOf(args: unknown[]): Wanted {
  const inner = Array.isArray(args[0]) ? args[0] : args
  const [first, second] = inner
  if (typeof first !== 'object' || first === null) {
    const isPath = typeof first === 'string' && !/^\d+$/.test(first)
    const listener = inner.find(each => typeof each === 'function')
    const host = typeof second === 'string' ? second : undefined
    const options = isPath ? { path: first } : { port: Number(first), ...(host === undefined ? {} : { host }) }
    inner.splice(0, inner.length, options, ...(listener === undefined ? [] : [listener]))
  }
  const options: object = inner[0]
  const field = (name: string): unknown => Reflect.get(options, name)
  const text = (name: string): string | undefined => {
    const value = field(name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const lookup = field('lookup')
  return {
    host: text('host'),
    port: Number(field('port') ?? 0),
    path: text('path'),
    lookup: isLookup(lookup) ? lookup : undefined,
    set: more => {
      inner[0] = { ...options, ...more }
    },
  }
}

const isLookup = (value: unknown): value is LookupFunction => typeof value === 'function'

import { isIP, Socket } from 'node:net'
import { ExchangeError } from '../http/failure.ts'
import type { NameLookup } from '../http/name-lookup.ts'
import type { TargetGuard } from '../http/target-guard.ts'
import type { Place, ServerPlace } from './place.ts'

/** Why a place may not be reached, as far as its own words tell; names are judged when they are resolved. */
export function refusalOf(place: Place, guard: TargetGuard | undefined): string | undefined {
  if (guard === undefined) return undefined
  // A file and a Unix socket are on this machine, whatever their name.
  if (place.kind === 'file' || place.socket !== undefined) return guard.refusal('localhost', undefined, 0)
  return isIP(place.host) === 0 ? undefined : guard.refusal(place.host, place.host, place.port)
}

/** Connects a socket, a new one if none is given, to the server of a place. */
export type Dial = (socket?: Socket) => Socket

/** To an address that the guard has seen and to no other. */
export function dialTo(place: ServerPlace, names: NameLookup, guard: TargetGuard | undefined): Dial {
  return (socket = new Socket()) => connect(socket, place, names, guard)
}

function connect(socket: Socket, place: ServerPlace, names: NameLookup, guard: TargetGuard | undefined): Socket {
  const refusal = refusalOf(place, guard)
  if (refusal !== undefined) {
    // A driver listens from the next turn on.
    setImmediate(() => socket.destroy(new ExchangeError('target_refused', refusal)))
    return socket
  }
  if (place.socket !== undefined) {
    const path = place.client === 'pg' ? `${place.socket}/.s.PGSQL.${place.port}` : place.socket
    return socket.connect({ path })
  }
  socket.setNoDelay(true)
  return socket.connect({
    host: place.host,
    port: place.port,
    lookup: (name, options, found) => {
      names.find(name, performance.now(), (error, addresses) => {
        const refused = addresses
          .map(({ address }) => guard?.refusal(name, address, place.port))
          .find(each => each !== undefined)
        const [first] = addresses
        if (error !== null) found(error, '', 0)
        else if (refused !== undefined) found(new ExchangeError('target_refused', refused), '', 0)
        else if (first === undefined) found(new ExchangeError('dns', `${name} has no address`), '', 0)
        else if (options.all) found(null, [...addresses])
        else found(null, first.address, first.family)
      })
    },
  })
}

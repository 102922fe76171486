import { isIP } from 'node:net'
import { NameLookup } from '../http/name-lookup.ts'
import type { TargetGuard } from '../http/target-guard.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

/** `catalog.internal:7091`, `[::1]:7091`; with nothing after it, gRPC's own port. */
export function parseAddress(text: string): Address | undefined {
  const found = /^(?:\[([0-9a-f:.]+)\]|([^\s:/[\]]+))(?::(\d{1,5}))?$/i.exec(text)
  const host = found?.[1] ?? found?.[2]
  const port = Number(found?.[3] ?? 443)
  return host === undefined || port > 65_535 || port === 0 ? undefined : { host, port }
}

export type Found =
  /** `127.0.0.1:7091`, `[::1]:7091` */
  | { readonly ok: true; readonly places: readonly string[] }
  | { readonly ok: false; readonly kind: 'dns' | 'target_refused'; readonly message: string }

/**
 * Looks a name up and checks every address of it before anything is sent. What is connected to later are these
 * addresses, never the name, so that nothing can change in between.
 */
export class AddressBook {
  readonly #names = new NameLookup()
  readonly #guard: TargetGuard | undefined

  constructor(guard: TargetGuard | undefined) {
    this.#guard = guard
  }

  find({ host, port }: Address): Promise<Found> {
    if (isIP(host) !== 0) return Promise.resolve(this.#checked(host, [host], port))
    return new Promise(resolve => {
      this.#names.find(host, performance.now(), (error, addresses) => {
        if (error !== null) resolve({ ok: false, kind: 'dns', message: error.message })
        else if (addresses.length === 0) resolve({ ok: false, kind: 'dns', message: `${host} has no address` })
        else
          resolve(
            this.#checked(
              host,
              addresses.map(({ address }) => address),
              port,
            ),
          )
      })
    })
  }

  #checked(host: string, addresses: readonly string[], port: number): Found {
    for (const address of addresses) {
      const message = this.#guard?.refusal(host, address, port)
      if (message !== undefined) return { ok: false, kind: 'target_refused', message }
    }
    return {
      ok: true,
      places: addresses.map(address => (isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`)),
    }
  }
}

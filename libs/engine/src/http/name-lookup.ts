import { type LookupAddress, lookup } from 'node:dns'

type Found = (error: Error | null, addresses: readonly LookupAddress[]) => void

interface Known {
  addresses: readonly LookupAddress[]
  until: number
  /** Those who wait for the first answer. */
  waiting: Found[] | undefined
}

/** How long an answer is used, as most resolvers of browsers and runtimes do whatever the record's own time to live. */
const keepMs = 30_000

/**
 * Names looked up once for all connections of a thread. The system's resolver has four threads for the whole process:
 * 10,000 connections that each ask it would measure the resolver. Failures are not kept.
 */
export class NameLookup {
  readonly #known = new Map<string, Known>()

  find(host: string, now: number, found: Found): void {
    const known = this.#known.get(host)
    if (known?.waiting !== undefined) {
      known.waiting.push(found)
      return
    }
    if (known !== undefined && now < known.until) {
      found(null, known.addresses)
      return
    }
    const asked: Known = { addresses: [], until: 0, waiting: [found] }
    this.#known.set(host, asked)
    lookup(host, { all: true, verbatim: true }, (error, addresses) => {
      const waiting = asked.waiting ?? []
      asked.waiting = undefined
      if (error === null) {
        asked.addresses = addresses
        asked.until = now + keepMs
      } else this.#known.delete(host)
      for (const each of waiting) each(error, addresses ?? [])
    })
  }
}

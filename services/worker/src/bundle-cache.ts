import { mkdir, readFile, rm } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, normalize, sep } from 'node:path'
import type { ContentFetcher } from '@onrush/fleet/content-fetcher'
import type { ContentStore } from '@onrush/fleet/content-store'
import type { ContentRef, Contents } from '@onrush/protocol/content'
import { OnrushError } from '@onrush/protocol/error'
import { isMissing } from '@onrush/protocol/missing-file'
import { writeBundle } from 'onrush/bundle-file'

/** A simulation as files on this host, for as long as somebody runs it. */
export interface Placed {
  readonly bundle: string
  /** A name in the script to where it lies here. */
  readonly files: Readonly<Record<string, string>>
}

export interface CacheNeeds {
  readonly folder: string
  readonly store: ContentStore
  readonly fetcher: ContentFetcher
  readonly worker: string
}

const atOnce = 4

/** Lays out what a run needs, from the contents that are here and those that must be fetched. */
export class BundleCache {
  readonly #needs: CacheNeeds

  constructor(needs: CacheNeeds) {
    this.#needs = needs
  }

  /** What an earlier life of this worker left in use would be kept for ever. */
  async open(): Promise<void> {
    await rm(this.#leases, { recursive: true, force: true })
  }

  /**
   * Does some work with a simulation's files. Beside the script they have the names and the places that they had on their
   * author's host, so that what looks for them there finds them. While the work lasts none of them is evicted.
   */
  async with<T>(contents: Contents, signal: AbortSignal, work: (placed: Placed) => Promise<T>): Promise<T> {
    const lease = join(this.#leases, crypto.randomUUID())
    try {
      const placed = await until(signal, this.#place(contents, lease))
      return await work(placed)
    } finally {
      await rm(lease, { recursive: true, force: true })
      await this.#needs.store.makeRoom(0)
    }
  }

  /** Fetches what is missing, for a run that may come. */
  async prefetch(contents: Contents): Promise<{ fetched: number; bytes: number }> {
    let fetched = 0
    let bytes = 0
    await inTurns(refsOf(contents), async ref => {
      if (!(await this.#needs.fetcher.ensure(ref, contents.sources))) return
      fetched++
      bytes += ref.size
    })
    return { fetched, bytes }
  }

  get #leases(): string {
    return join(this.#needs.folder, 'in-use', this.#needs.worker)
  }

  async #place(contents: Contents, lease: string): Promise<Placed> {
    const { script, bundle, sourceMap } = contents
    await this.prefetch(contents)
    const base = join(lease, ...Array.from({ length: depthOf(Object.keys(contents.files)) }, () => 'up'))
    await mkdir(base, { recursive: true, mode: 0o700 })
    const files: Record<string, string> = {}
    for (const [name, ref] of Object.entries(contents.files)) {
      const at = placeOf(name, base, lease)
      await mkdir(dirname(at), { recursive: true, mode: 0o700 })
      await this.#link(ref, contents.sources, at)
      files[name] = at
    }
    const text = async (ref: ContentRef) => {
      const at = join(lease, `text-${ref.hash}`)
      await this.#link(ref, contents.sources, at)
      return await readFile(at, 'utf8')
    }
    const whole = { code: await text(bundle), hash: bundle.hash, sourceMap: await text(sourceMap) }
    return { bundle: await writeBundle(whole, join(lease, 'bundle'), join(base, basename(script))), files }
  }

  /** Another worker on this host may evict between our fetch and our link: then it is fetched once more. */
  async #link(ref: ContentRef, sources: readonly string[], at: string): Promise<void> {
    const { store, fetcher } = this.#needs
    try {
      await store.place(ref.hash, at)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return
      if (!isMissing(error)) throw error
      await fetcher.ensure(ref, sources)
      await store.place(ref.hash, at)
    }
  }
}

/** How far names lead up from the script's folder. */
function depthOf(names: readonly string[]): number {
  const ups = names.filter(name => !isAbsolute(name)).map(name => normalize(name).split(sep))
  return Math.max(0, ...ups.map(parts => parts.filter(part => part === '..').length))
}

/** Under the lease, whatever a name says: absolute ones get a folder of their own. */
function placeOf(name: string, base: string, lease: string): string {
  const at = isAbsolute(name) ? join(lease, 'absolute', normalize(name)) : join(base, normalize(name))
  if (!at.startsWith(lease + sep)) {
    throw new OnrushError('invalid', `the data file "${name.slice(0, 200)}" leads out of every folder`)
  }
  return at
}

const refsOf = ({ bundle, sourceMap, files }: Contents): ContentRef[] => [
  ...new Map([bundle, sourceMap, ...Object.values(files)].map(ref => [ref.hash, ref])).values(),
]

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const line = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, line))
}

/** A stop ends the wait at once; what is on its way then arrives for the next one. */
async function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stopped = () => reject(new OnrushError('conflict', 'stopped before the start, while its files were fetched'))
  if (signal.aborted) stopped()
  signal.addEventListener('abort', stopped, { once: true })
  // Whichever comes second must not be missed.
  promise.catch(() => undefined)
  work.catch(() => undefined)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stopped)
  }
}

import type { Compiled } from '../compile/compile-script.ts'
import { factsOf } from './facts.ts'
import type { FoundScript } from './find-scripts.ts'
import type { ScriptRecord, VersionStore } from './version-store.ts'

/** What is known of each script: in memory, and on the disk for the next start. */
export class Records {
  readonly #store: VersionStore
  readonly #known = new Map<string, ScriptRecord>()

  constructor(store: VersionStore) {
    this.#store = store
  }

  async of({ path }: FoundScript): Promise<ScriptRecord | undefined> {
    const record = this.#known.get(path) ?? (await this.#store.record(path))
    if (record !== undefined) this.#known.set(path, record)
    return record
  }

  /** A version that failed leaves the last good one where it is. */
  async keep(script: FoundScript, compiled: Compiled, checkedAt: string, elapsedMs: number): Promise<ScriptRecord> {
    const { inputs, settled } = compiled
    const base = { inputs, settled, checkedAt, elapsedMs: Math.round(elapsedMs) }
    let record: ScriptRecord
    if ('loaded' in compiled) {
      const { name, source, spec, simulation, files, bundle } = compiled.loaded
      const { code, hash, sourceMap } = bundle
      record = { ...base, status: 'ok', good: { hash, compiledAt: checkedAt, ...factsOf(simulation, files) } }
      await this.#store.keep(script.path, record, { name, source, spec, code, hash, sourceMap, files })
    } else {
      const good = (await this.of(script))?.good
      const { message, errors } = compiled.error
      record = { ...base, status: 'failed', error: message, errors, ...(good === undefined ? {} : { good }) }
      await this.#store.keep(script.path, record)
    }
    this.#known.set(script.path, record)
    return record
  }

  /** Of scripts that are no more, neither records nor bundles are kept. */
  async forgetOthers(scripts: readonly FoundScript[], now: number): Promise<void> {
    const paths = new Set(scripts.map(script => script.path))
    for (const path of [...this.#known.keys()]) {
      if (paths.has(path)) continue
      this.#known.delete(path)
      await this.#store.forget(path)
    }
    const hashes = new Set([...this.#known.values()].flatMap(record => record.good?.hash ?? []))
    await this.#store.prune(hashes, now)
  }
}

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json } from '@onrush/protocol/json'
import { unlessMissing } from '@onrush/protocol/missing-file'
import type { Fault } from '@onrush/protocol/problem'
import type { ScriptVersion, SimulationEntry } from '@onrush/protocol/simulation-entry'
import manifest from '../../package.json' with { type: 'json' }
import type { Input } from '../compile/inputs.ts'

/** What a list says of a simulation that could be loaded. */
export type Facts = Pick<
  SimulationEntry,
  'description' | 'environments' | 'scenarios' | 'protocols' | 'parameters' | 'files'
>

/** What is known of a script: how its newest version fared, and what it was made of. */
export interface ScriptRecord {
  readonly status: 'ok' | 'failed'
  readonly error?: string
  readonly errors?: readonly Fault[]
  readonly inputs: readonly Input[]
  /** Whether the outcome follows from the inputs alone; otherwise the next compile tries again. */
  readonly settled: boolean
  readonly checkedAt: string
  readonly elapsedMs: number
  /** The newest good version, and what it says of itself. */
  readonly good?: ScriptVersion & Facts
}

/** A version that can be run, as a start needs it. */
export interface GoodVersion {
  readonly name: string
  readonly source: string
  readonly spec: Json
  readonly code: string
  readonly hash: string
  readonly sourceMap: string
  /** Names in the script to absolute paths. */
  readonly files: { readonly [name: string]: string }
}

/** Another release, or another compiler in it, may come to another outcome. */
const tool = createHash('sha256').update(JSON.stringify(manifest)).digest('hex').slice(0, 16)
const bundleKeepMs = 3_600_000

/** What compiles came to, on the disk, so that a restart costs nothing. It may hold what a script holds: secrets too. */
export class VersionStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  get bundles(): string {
    return join(this.#folder, 'bundles')
  }

  async record(script: string): Promise<ScriptRecord | undefined> {
    return await this.#read<ScriptRecord>(`${keyOf(script)}.json`)
  }

  async keep(script: string, record: ScriptRecord, version?: GoodVersion): Promise<void> {
    // The version first: a record must not promise one that is not there.
    if (version !== undefined) await this.#write(`${keyOf(script)}.good.json`, version)
    await this.#write(`${keyOf(script)}.json`, record)
  }

  async good(script: string): Promise<GoodVersion | undefined> {
    return await this.#read<GoodVersion>(`${keyOf(script)}.good.json`)
  }

  async forget(script: string): Promise<void> {
    for (const ending of ['.json', '.good.json']) await rm(join(this.#folder, keyOf(script) + ending), { force: true })
  }

  /** Removes the bundles of versions that are no more; fresh ones may belong to a compile that is under way. */
  async prune(hashes: ReadonlySet<string>, now: number): Promise<void> {
    const names = await unlessMissing(readdir(this.bundles), [])
    for (const name of names) {
      if (hashes.has(name.slice(0, 64))) continue
      const file = join(this.bundles, name)
      const stats = await unlessMissing(stat(file), undefined)
      if (stats !== undefined && now - stats.mtimeMs > bundleKeepMs) await rm(file, { force: true })
    }
  }

  async #read<T extends object>(name: string): Promise<T | undefined> {
    try {
      const { tool: madeBy, ...kept }: T & { tool?: string } = JSON.parse(
        await readFile(join(this.#folder, name), 'utf8'),
      )
      return madeBy === tool ? (kept as T & { tool?: string }) : undefined
    } catch {
      // Never written, or half of it lost with the power: it is made again.
      return undefined
    }
  }

  async #write(name: string, value: object): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const file = join(this.#folder, name)
    const beside = `${file}.${crypto.randomUUID()}`
    await writeFile(beside, JSON.stringify({ tool, ...value }), { mode: 0o600 })
    await rename(beside, file)
  }
}

const keyOf = (script: string) => createHash('sha256').update(script).digest('hex').slice(0, 32)

import { availableParallelism } from 'node:os'
import { check } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import type { CompilerMessage } from '@onrush/protocol/monitor'
import { suggest } from '@onrush/protocol/nearest'
import { Simulation } from '@onrush/protocol/simulation'
import type { CompileOutcome, SimulationEntry } from '@onrush/protocol/simulation-entry'
import type { SimulationSource } from '@onrush/protocol/simulation-source'
import { writeBundle } from '../bundle-file.ts'
import { CompileLog } from '../compile/compile-log.ts'
import { type GitSettings, gitPull, type PullResult } from '../compile/git-pull.ts'
import { InputReader } from '../compile/inputs.ts'
import { decode } from '../first-load/encode.ts'
import type { LoadLimits } from '../first-load/first-load.ts'
import type { LoadedScript } from '../loaded.ts'
import { simulationName } from '../simulation-name.ts'
import { compileChanged } from './compile-changed.ts'
import { entryOf } from './entry.ts'
import { type FoundScript, ScriptFinder, wouldBeScript } from './find-scripts.ts'
import { short, staleWarning } from './lines.ts'
import { Records } from './records.ts'
import { sourceOf } from './source.ts'
import { Turns } from './turns.ts'
import { VersionStore } from './version-store.ts'
import { type FolderWatch, watchFolders } from './watch-folders.ts'

export interface RegistryNeeds {
  /** Absolute. */
  readonly folder: string
  readonly cacheDir: string
  /** What a service keeps its own files in: never looked into, should it lie in the folder. */
  readonly dataDir?: string
  readonly now: () => Date
  readonly limits?: Partial<LoadLimits>
  readonly git?: GitSettings
  /** How many scripts are loaded at a time; by default as many as there are cores. */
  readonly parallel?: number
  /** Told what goes wrong where nobody waits for an answer. */
  readonly onProblem: (what: string, error: unknown) => void
}

export interface CompileWish {
  readonly pull?: boolean | undefined
}

/** A script that can be run: its newest version, or the last good one while the newest fails. */
export interface RunnableScript extends LoadedScript {
  /** What whoever reads of the run should know: that it was not what lay in the folder. */
  readonly warnings: readonly string[]
}

/**
 * The simulations of a folder, by the names that requests call them by. Compiles what has changed, one compile at a time,
 * and keeps for each script the last version that was good.
 */
export class Registry {
  /** What compiles say, as they say it. */
  readonly log = new CompileLog()
  readonly #needs: RegistryNeeds
  readonly #finder: ScriptFinder
  readonly #store: VersionStore
  readonly #records: Records
  readonly #turns = new Turns<CompileOutcome>()
  readonly #busy = new Set<string>()
  #watch: FolderWatch | undefined

  constructor(needs: RegistryNeeds) {
    this.#needs = needs
    this.#finder = new ScriptFinder(needs.folder, needs.dataDir)
    this.#store = new VersionStore(needs.cacheDir)
    this.#records = new Records(this.#store)
  }

  /** From here on the folder is watched; what changes in it is compiled in the background. */
  watch(): void {
    this.#watch ??= watchFolders(
      () => this.refresh(),
      error => this.#needs.onProblem('the folder of simulations cannot be watched; looking every 5 s', error),
    )
    this.refresh()
  }

  /** Compiles what has changed, in the background. */
  refresh(): void {
    this.#changes().catch((error: unknown) => this.#needs.onProblem('a compile failed', error))
  }

  close(): void {
    this.#watch?.close()
  }

  /** Every script as far as it is known now; what has changed since is on its way. */
  async list(): Promise<SimulationEntry[]> {
    const { scripts } = await this.#finder.find()
    const reader = new InputReader()
    const now = this.#needs.now().toISOString()
    const entries: SimulationEntry[] = []
    let changed = false
    for (const script of scripts) {
      const record = await this.#records.of(script)
      const fresh = script.fault !== undefined || (record !== undefined && (await reader.areSame(record.inputs)))
      if (!fresh) changed = true
      entries.push(entryOf(script, record, !fresh || this.#busy.has(script.path), now))
    }
    if (changed && this.#turns.isIdle) this.refresh()
    return entries
  }

  /** Whether a file of the folder is one of them. */
  async files(): Promise<ReadonlySet<string>> {
    return new Set((await this.#finder.find()).scripts.map(({ file }) => file))
  }

  /** Whether what lies at `gathered` would be one of them, were it this file. */
  async wouldBe(file: string, gathered: string): Promise<boolean> {
    return await wouldBeScript(file, gathered)
  }

  /** What it is written as: now, and in the version that runs. */
  async source(name: string): Promise<SimulationSource> {
    const script = await this.#find(name)
    const [record, version] = [await this.#records.of(script), await this.#store.good(script.path)]
    return await sourceOf(script, this.#needs.folder, record, version)
  }

  /** Throws where there is none of this name that a start could call; one that does not compile yet may be mended. */
  async ensure(name: string): Promise<void> {
    await this.#callable(name)
  }

  /** As it lies on the disk now, with all that it imports; the last good version where that fails. */
  async load(name: string): Promise<RunnableScript> {
    const script = await this.#callable(name)
    let record = await this.#records.of(script)
    if (record === undefined || !record.settled || !(await new InputReader().areSame(record.inputs))) {
      await this.#changes()
      record = await this.#records.of(script)
    }
    const version = await this.#store.good(script.path)
    if (record?.good === undefined || version === undefined) {
      const { error = `${script.file} could not be compiled`, errors = [] } = record ?? {}
      throw new OnrushError('script_error', error, { errors })
    }
    const checked = check(Simulation, decode(version.spec))
    if (!checked.ok) throw new OnrushError('internal', `what was kept of ${script.file} is damaged: compile it again`)
    const { code, hash, sourceMap, source, spec, files } = version
    const bundle = { code, hash, sourceMap }
    return {
      name: simulationName(script.path),
      file: script.path,
      source,
      spec,
      simulation: checked.value,
      files,
      bundle: { ...bundle, file: await writeBundle(bundle, this.#store.bundles, script.path) },
      warnings: record.status === 'ok' ? [] : [staleWarning(script, record)],
    }
  }

  /**
   * Compiles what has changed, and once more what failed. One that is under way is joined, unless a file has changed
   * since it looked.
   */
  async compile({ pull = false }: CompileWish = {}): Promise<CompileOutcome> {
    const joined = this.#turns.running(pull ? ['pull'] : ['pull', 'all'])
    if (joined !== undefined) {
      const outcome = await joined
      if (pull || !(await this.#hasChanged())) return outcome
    }
    return await this.#turns.take(pull ? 'pull' : 'all', () => this.#compile(pull, true))
  }

  #changes(): Promise<CompileOutcome> {
    return this.#turns.take('changes', () => this.#compile(false, false))
  }

  async #find(name: string): Promise<FoundScript> {
    const { scripts } = await this.#finder.find()
    const found = scripts.find(each => each.name === name)
    if (found !== undefined) return found
    const names = scripts.map(each => each.name)
    throw new OnrushError('not_found', `there is no simulation "${name}" here; ${suggest(name, names)}`)
  }

  async #callable(name: string): Promise<FoundScript> {
    const script = await this.#find(name)
    if (script.fault !== undefined) throw new OnrushError('conflict', `${script.file}: ${script.fault}`)
    return script
  }

  async #hasChanged(): Promise<boolean> {
    const reader = new InputReader()
    for (const script of (await this.#finder.find()).scripts) {
      const record = await this.#records.of(script)
      if (script.fault === undefined && !(record && (await reader.areSame(record.inputs)))) return true
    }
    return false
  }

  /** On demand it says so whatever it finds; by itself, only what is news. */
  async #compile(pull: boolean, onDemand: boolean): Promise<CompileOutcome> {
    const start = performance.now()
    let spoke = onDemand
    const say = (message: CompilerMessage) => {
      if (message.type === 'state') spoke = true
      if (spoke) this.log.say(message)
    }
    try {
      const pulled = pull ? await this.#pull() : undefined
      if (typeof pulled === 'string') return await this.#outcome(0, start, { error: pulled }, say)
      if (onDemand) say({ type: 'state', state: 'checking' })
      const { scripts, folders } = await this.#finder.find()
      this.#watch?.follow(folders)
      const { folder, limits, parallel = availableParallelism(), now } = this.#needs
      const compiled = await compileChanged(scripts, onDemand, {
        folder,
        cacheDir: this.#store.bundles,
        records: this.#records,
        limits,
        parallel,
        now,
        say,
        onBusy: ({ path }, busy) => (busy ? this.#busy.add(path) : this.#busy.delete(path)),
      })
      await this.#records.forgetOthers(scripts, now().getTime())
      return await this.#outcome(compiled, start, pulled === undefined ? {} : { pulled }, say)
    } finally {
      this.#busy.clear()
      if (spoke) say({ type: 'state', state: 'idle' })
    }
  }

  /** What came, or in words why nothing did. */
  async #pull(): Promise<PullResult | string> {
    const { say } = this.log
    say({ type: 'state', state: 'pulling' })
    try {
      const { from, to } = await gitPull(this.#needs.folder, this.#needs.git)
      const text = from === to ? `nothing new to pull; at ${short(to)}` : `pulled ${short(from)} to ${short(to)}`
      say({ type: 'line', level: 'info', text })
      return { from, to }
    } catch (error) {
      if (!(error instanceof OnrushError)) throw error
      say({ type: 'line', level: 'error', text: error.message })
      return error.message
    }
  }

  async #outcome(
    compiled: number,
    start: number,
    more: Pick<CompileOutcome, 'error' | 'pulled'>,
    say: (message: CompilerMessage) => void,
  ): Promise<CompileOutcome> {
    const { scripts } = await this.#finder.find()
    const now = this.#needs.now().toISOString()
    const simulations = await Promise.all(
      scripts.map(async script => entryOf(script, await this.#records.of(script), false, now)),
    )
    const failed = simulations.filter(entry => entry.status === 'failed').length
    const unchanged = simulations.filter(entry => entry.status === 'ok').length - compiled
    const ok = failed === 0 && more.error === undefined
    const counts = { ok, compiled, unchanged, failed, elapsedMs: Math.round(performance.now() - start) }
    say({ type: 'outcome', ...counts })
    return { ...counts, simulations, ...more }
  }
}

import { createReadStream } from 'node:fs'
import { appendFile, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Frame } from '@onrush/protocol/frame'
import { isMissing, unlessMissing } from '@onrush/protocol/missing-file'
import type { RunHeader } from '@onrush/protocol/run-log'
import { type RunLog, readRunLog } from '@onrush/report/read-run-log'
import { logLine } from '@onrush/report/run-log-lines'

/**
 * What this reporter sees of the runs it follows, on its own disk: for shards whose worker cannot be reached at the end,
 * and for runs that Redis has lost.
 */
export class LiveLog {
  readonly #folder: string
  readonly #written = new Map<string, Promise<void>>()
  readonly #onProblem: (error: unknown) => void

  constructor(folder: string, onProblem: (error: unknown) => void) {
    this.#folder = folder
    this.#onProblem = onProblem
  }

  /** The header begins a log; frames follow in the order they come. */
  write(run: string, entries: readonly (RunHeader | Frame)[]): void {
    if (entries.length === 0) return
    const text = entries.map(logLine).join('')
    const before = this.#written.get(run) ?? mkdir(this.#folder, { recursive: true }).then(() => undefined)
    this.#written.set(run, before.then(() => appendFile(this.#path(run), text)).catch(this.#onProblem))
  }

  async read(run: string): Promise<RunLog | undefined> {
    await this.#written.get(run)
    try {
      return await readRunLog(createInterface({ input: createReadStream(this.#path(run)) }), this.#path(run))
    } catch (error) {
      if (isMissing(error)) return undefined
      this.#onProblem(error)
      return undefined
    }
  }

  /** Its lines as they lie there, the header first. */
  async lines(run: string): Promise<AsyncIterable<string>> {
    await this.#written.get(run)
    return createInterface({ input: createReadStream(this.#path(run)) })
  }

  async framesOf(run: string, worker: string): Promise<Frame[]> {
    const log = await this.read(run)
    return (log?.frames ?? []).filter(({ covers }) => covers.every(([shard]) => shard === worker))
  }

  async remove(run: string): Promise<void> {
    await this.#written.get(run)
    this.#written.delete(run)
    await rm(this.#path(run), { force: true })
  }

  async runs(): Promise<string[]> {
    const files = await unlessMissing(readdir(this.#folder), [])
    return files.filter(file => file.endsWith('.ndjson')).map(file => file.slice(0, -'.ndjson'.length))
  }

  #path(run: string): string {
    return join(this.#folder, `${run}.ndjson`)
  }
}

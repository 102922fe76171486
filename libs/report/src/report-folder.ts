import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { OnrushError } from '@onrush/protocol/error'
import type { Frame } from '@onrush/protocol/frame'
import { isMissing } from '@onrush/protocol/missing-file'
import type { Report } from '@onrush/protocol/report'
import type { RunEnd, RunHeader } from '@onrush/protocol/run-log'
import { reportFiles, reportNames } from './report-files.ts'
import { logLine } from './run-log-lines.ts'

export const logName = 'log.ndjson'

/** What a folder may hold and still be replaced: an earlier report, whole or not. */
const ours = new Set<string>([...reportNames, logName])

async function strangersIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(name => !ours.has(name))
  } catch (error) {
    if (isMissing(error)) return []
    throw new OnrushError('invalid', `the report cannot be written to ${folder}: ${String(error)}`, { cause: error })
  }
}

/**
 * A run's folder as it comes to be: the log grows while the run goes on, in a folder beside the final one; at the end
 * the other files join it and the whole is renamed into place. A run that is killed leaves `<folder>.unfinished` with a
 * log from which the report can be built.
 */
export class ReportFolder {
  readonly path: string
  readonly #unfinished: string
  readonly #log: FileHandle
  /** The first of the folders above that had to be made. */
  readonly #made: string | undefined
  #written: Promise<void> = Promise.resolve()
  #problem: unknown

  private constructor(path: string, unfinished: string, log: FileHandle, made: string | undefined) {
    this.path = path
    this.#unfinished = unfinished
    this.#log = log
    this.#made = made
  }

  static async open(folder: string): Promise<ReportFolder> {
    const path = resolve(folder)
    const strangers = await strangersIn(path)
    if (strangers.length > 0) {
      const named = strangers.slice(0, 3).join(', ')
      throw new OnrushError(
        'invalid',
        `expected an empty folder, a new one or an earlier report for the report, got ${folder}, which holds ${named}`,
      )
    }
    const unfinished = `${path}.unfinished`
    try {
      const made = await mkdir(dirname(path), { recursive: true })
      await rm(unfinished, { recursive: true, force: true })
      await mkdir(unfinished)
      return new ReportFolder(path, unfinished, await open(join(unfinished, logName), 'w'), made)
    } catch (cause) {
      throw new OnrushError('invalid', `the report cannot be written to ${folder}: ${String(cause)}`, { cause })
    }
  }

  /** A full disk must not end the load: the first problem is told when the folder is closed. */
  log(entry: RunHeader | RunEnd | Frame): void {
    this.#written = this.#written
      .then(() => this.#log.appendFile(logLine(entry)))
      .catch(error => {
        this.#problem ??= error
      })
  }

  /** Lines of another log of the same run, as they are. */
  async copy(lines: AsyncIterable<string>): Promise<void> {
    let held: string[] = []
    const write = async () => {
      const text = held.map(line => `${line}\n`).join('')
      held = []
      this.#written = this.#written
        .then(() => this.#log.appendFile(text))
        .catch(error => {
          this.#problem ??= error
        })
      await this.#written
    }
    for await (const line of lines) {
      held.push(line)
      if (held.length >= 100) await write()
    }
    await write()
  }

  async finish(report: Report): Promise<void> {
    await this.#written
    await this.#log.close()
    try {
      if (this.#problem !== undefined) throw this.#problem
      for (const [name, text] of Object.entries(reportFiles(report)))
        await writeFile(join(this.#unfinished, name), text)
      await rm(this.path, { recursive: true, force: true })
      await rename(this.#unfinished, this.path)
    } catch (cause) {
      throw new OnrushError('internal', `the report could not be written to ${this.path}: ${String(cause)}`, { cause })
    }
  }

  /** Nothing ran that is worth a report. */
  async discard(): Promise<void> {
    await this.#written
    await this.#log.close()
    await rm(this.#unfinished, { recursive: true, force: true })
    await this.#unmake()
  }

  async #unmake(): Promise<void> {
    const made = this.#made
    if (made === undefined) return
    try {
      for (let folder = dirname(this.path); folder.startsWith(made); folder = dirname(folder)) await rmdir(folder)
    } catch {
      // Another run has put something there meanwhile, so the folder stays.
    }
  }
}

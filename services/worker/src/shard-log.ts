import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Frame } from '@onrush/protocol/frame'
import { unlessMissing } from '@onrush/protocol/missing-file'
import { RunId } from '@onrush/protocol/node'
import type { RunEnd, RunHeader } from '@onrush/protocol/run-log'
import { logLine } from '@onrush/report/run-log-lines'

/** The run log of this worker's shard, as it grows. A full disk must not end the load: the first problem is told at the end. */
export class ShardLog {
  readonly #file: FileHandle
  #written: Promise<void> = Promise.resolve()
  #problem: unknown

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async open(folder: string, runId: string): Promise<ShardLog> {
    await mkdir(folder, { recursive: true })
    return new ShardLog(await open(logPath(folder, runId), 'w'))
  }

  write(entry: RunHeader | RunEnd | Frame): void {
    this.#written = this.#written
      .then(() => this.#file.appendFile(logLine(entry)))
      .catch(error => {
        this.#problem ??= error
      })
  }

  /** Answers what went wrong with the file, if anything did. */
  async close(): Promise<unknown> {
    await this.#written
    await this.#file.close()
    return this.#problem
  }
}

const logPath = (folder: string, runId: string) => join(folder, `${runId}.ndjson`)

export interface StoredLog {
  readonly size: number
  read(from: number, to: number): Readable
}

/** A stored log. The id is checked by its schema, which knows no separator and no dot: it cannot name another file. */
export async function findLog(folder: string, runId: string): Promise<StoredLog | undefined> {
  if (!RunId.safeParse(runId).success) return undefined
  const path = logPath(folder, runId)
  const stats = await unlessMissing(stat(path), undefined)
  return stats && { size: stats.size, read: (start, end) => createReadStream(path, { start, end }) }
}

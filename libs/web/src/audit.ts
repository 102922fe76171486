import { appendFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { limits } from '@onrush/protocol/limits'
import { masked } from '@onrush/protocol/secrets'
import { type AuditBounds, makeRoom } from './audit-files.ts'
import type { Log } from './log.ts'

export interface AuditEntry {
  /** The token's name, or `nobody` where none is set. */
  readonly who: string
  readonly from: string
  readonly action: string
  readonly run?: string | undefined
  readonly detail?: string | undefined
  readonly outcome: 'done' | 'refused' | 'failed'
}

const ours: AuditBounds = { bytes: limits.auditFile.value, files: limits.auditFiles.value }

/** Who started and stopped what: one JSON line each, in order, appended before the answer goes out. */
export class AuditLog {
  readonly #file: string
  readonly #node: string
  readonly #now: () => Date
  readonly #log: Log
  readonly #bounds: AuditBounds
  #last: Promise<unknown>

  /** `node`: services of one host share the file. */
  constructor(file: string, node: string, now: () => Date, log: Log, bounds = ours) {
    this.#file = file
    this.#node = node
    this.#now = now
    this.#log = log
    this.#bounds = bounds
    this.#last = this.#noting(mkdir(dirname(file), { recursive: true }))
  }

  async write(entry: AuditEntry): Promise<void> {
    const now = this.#now()
    const detail = entry.detail === undefined ? {} : { detail: masked(entry.detail) }
    const line = `${JSON.stringify({ time: now.toISOString(), node: this.#node, ...entry, ...detail })}\n`
    this.#last = this.#last.then(() => this.#noting(this.#append(line, now)))
    await this.#last
  }

  async #append(line: string, now: Date): Promise<void> {
    await makeRoom({ file: this.#file, node: this.#node }, Buffer.byteLength(line), now, this.#bounds)
    await appendFile(this.#file, line, { mode: 0o600 })
  }

  /** A full disk must not keep anybody from stopping a run. */
  async #noting(work: Promise<unknown>): Promise<void> {
    try {
      await work
    } catch (error) {
      this.#log('error', 'the audit log could not be written', { error })
    }
  }
}

import { appendFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { masked } from '@onrush/protocol/secrets'
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

/** Who started and stopped what: one JSON line each, in order, appended before the answer goes out. */
export class AuditLog {
  readonly #file: string
  readonly #node: string
  readonly #now: () => Date
  readonly #log: Log
  #last: Promise<void>

  /** `node`: services of one host share the file. */
  constructor(file: string, node: string, now: () => Date, log: Log) {
    this.#file = file
    this.#node = node
    this.#now = now
    this.#log = log
    this.#last = mkdir(dirname(file), { recursive: true }).then(() => undefined)
  }

  async write(entry: AuditEntry): Promise<void> {
    const detail = entry.detail === undefined ? {} : { detail: masked(entry.detail) }
    const line = `${JSON.stringify({ time: this.#now().toISOString(), node: this.#node, ...entry, ...detail })}\n`
    this.#last = this.#last
      .then(() => appendFile(this.#file, line, { mode: 0o600 }))
      .catch((error: unknown) => this.#log('error', 'the audit log could not be written', { error }))
    await this.#last
  }
}

import { readFileSync, statSync } from 'node:fs'
import { faultsInWords } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import type { Fault } from '@onrush/protocol/problem'
import type { Log } from './log.ts'
import type { KnownToken } from './tokens.ts'

const line =
  /^(?<name>[A-Za-z0-9][\w.@-]{0,62})\s+(?<role>viewer|operator)\s+sha256:(?<digest>[0-9a-f]{64})(?:\s+(?<expires>\S+))?$/

/**
 * One token a line: `<name> <viewer|operator> sha256:<hex> [<expires, ISO 8601>]`. Digests, so that whoever reads the
 * file or its backup cannot act; two lines of one name let a token be rotated without a gap.
 */
export function parseTokens(text: string, file: string): KnownToken[] {
  const faults: Fault[] = []
  const tokens = text.split('\n').flatMap((each, i): KnownToken[] => {
    const content = each.trim()
    if (content === '' || content.startsWith('#')) return []
    const found = line.exec(content)?.groups
    const expires = found?.expires === undefined ? undefined : Date.parse(found.expires)
    if (found === undefined || Number.isNaN(expires)) {
      // What stands there may be a token itself: it is not repeated.
      faults.push({
        path: `${file}:${i + 1}`,
        message: 'expected "<name> <viewer|operator> sha256:<64 hex digits> [<expires>]"',
      })
      return []
    }
    const { name = '', role, digest = '' } = found
    return [{ name, role: role === 'operator' ? 'operator' : 'viewer', digest: Buffer.from(digest, 'hex'), expires }]
  })
  if (faults.length > 0)
    throw new OnrushError('invalid', faultsInWords('the file of tokens', faults), { errors: faults })
  return tokens
}

const lookAgainMs = 2_000

/** The tokens of a file as it is now. A later version that cannot be read leaves the last good one in force, and says so. */
export class TokenFile {
  readonly #file: string
  readonly #log: Log
  readonly #now: () => number
  #tokens: readonly KnownToken[]
  #stamp: string
  #looked: number

  constructor(file: string, log: Log, now: () => number) {
    this.#file = file
    this.#log = log
    this.#now = now
    this.#stamp = this.#stampNow()
    this.#tokens = parseTokens(readFileSync(file, 'utf8'), file)
    this.#looked = now()
  }

  get tokens(): readonly KnownToken[] {
    if (this.#now() - this.#looked >= lookAgainMs) this.#look()
    return this.#tokens
  }

  #stampNow(): string {
    const { mtimeMs, size, ino } = statSync(this.#file)
    return `${mtimeMs} ${size} ${ino}`
  }

  #look(): void {
    this.#looked = this.#now()
    try {
      const stamp = this.#stampNow()
      if (stamp === this.#stamp) return
      this.#tokens = parseTokens(readFileSync(this.#file, 'utf8'), this.#file)
      this.#stamp = stamp
      this.#log('info', 'tokens read again', { count: this.#tokens.length })
    } catch (error) {
      this.#log('error', 'the tokens could not be read again; the last good ones stay in force', { error })
    }
  }
}

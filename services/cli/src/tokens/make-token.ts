import { createHash, randomBytes } from 'node:crypto'
import { faultsInWords } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import type { Fault } from '@onrush/protocol/problem'

export interface WantedToken {
  readonly action: string
  readonly name: string
  readonly role: 'viewer' | 'operator'
  readonly expires: string | undefined
}

/** A new token, and the line by which services know it: a digest, so that who reads the file cannot act. */
export function makeToken({ action, name, role, expires }: WantedToken): { token: string; line: string } {
  const faults: Fault[] = []
  if (action !== 'new') faults.push({ path: '<new>', message: `expected the word "new", got "${action}"` })
  if (!/^[A-Za-z0-9][\w.@-]{0,62}$/.test(name)) {
    faults.push({ path: '<name>', message: `expected letters, digits and ". _ @ -", at most 63, got "${name}"` })
  }
  const until = expires === undefined ? undefined : Date.parse(expires)
  if (until !== undefined && !(until > Date.now())) {
    faults.push({ path: '--expires', message: `expected a date to come like "2027-01-31", got "${expires}"` })
  }
  if (faults.length > 0) throw new OnrushError('invalid', faultsInWords('the command', faults), { errors: faults })
  // 256 bits: nobody guesses them. The prefix lets scanners of source code find one that was put there.
  const token = `onr_${randomBytes(32).toString('base64url')}`
  const digest = createHash('sha256').update(token).digest('hex')
  const end = until === undefined ? '' : ` ${new Date(until).toISOString()}`
  return { token, line: `${name} ${role} sha256:${digest}${end}` }
}

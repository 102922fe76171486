import { OnrushError } from '@onrush/protocol/error'
import { protocolVersion, versionFault } from '@onrush/protocol/protocol-version'

/** Why a node does not do a job that it cannot read, and who must be upgraded for it to be done. */
export function jobRefused(data: unknown, node: string): OnrushError {
  const v = typeof data === 'object' && data !== null && 'v' in data ? Number(data.v) : 0
  const protocol = Number.isInteger(v) ? v : 0
  const fault = versionFault(
    { name: node, protocol: protocolVersion },
    { name: 'the reporter that made this job', protocol },
  )
  return new OnrushError(
    'version_mismatch',
    fault ?? `${node} does not understand this job: it was made by another version; run the same version everywhere`,
  )
}

import { demand } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import { Report, reportVersion } from '@onrush/protocol/report'

/** A report as it was written, from its text. */
export function readReport(text: string, file: string): Report {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new OnrushError('invalid', `expected ${file} to be a report.json, got no JSON: ${String(cause)}`, { cause })
  }
  const version = typeof json === 'object' && json !== null && 'v' in json ? json.v : undefined
  if (typeof version === 'number' && version > reportVersion) {
    throw new OnrushError(
      'version_mismatch',
      `${file}: expected a report of version ${reportVersion}, got version ${version}; use a newer onrush`,
    )
  }
  return demand(Report, json, file)
}

import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OnrushError } from '@onrush/protocol/error'
import type { Report } from '@onrush/protocol/report'
import { reportFiles } from './report-files.ts'

/** Writes a report's files into a folder, over earlier ones. Each is renamed into place, so that nobody reads half of it. */
export async function writeReport(folder: string, report: Report): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    for (const [name, text] of Object.entries(reportFiles(report))) {
      const beside = join(folder, `.${name}.${crypto.randomUUID()}`)
      await writeFile(beside, text)
      await rename(beside, join(folder, name))
    }
  } catch (cause) {
    throw new OnrushError('invalid', `the report cannot be written to ${folder}: ${String(cause)}`, { cause })
  }
}

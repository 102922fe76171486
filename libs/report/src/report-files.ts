import type { Report } from '@onrush/protocol/report'
import { toCsv } from './csv.ts'
import { toJunit } from './junit.ts'
import { toPage } from './page/page.ts'

/** The files of a report beside its log, by name. */
export const reportNames = ['report.json', 'index.html', 'junit.xml', 'stats.csv'] as const

export function reportFiles(report: Report): Record<(typeof reportNames)[number], string> {
  return {
    'report.json': `${JSON.stringify(report)}\n`,
    'index.html': toPage(report),
    'junit.xml': toJunit(report),
    'stats.csv': toCsv(report),
  }
}

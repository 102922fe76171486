import { readFileSync } from 'node:fs'
import type { Report } from '@onrush/protocol/report'
import { escapeHtml, type Html } from '../html.ts'
import { comparedInShort, inShort } from './in-short.ts'

/**
 * What the dashboard's build emits: script and style by their hashes, and three places to fill in. It lies here, built,
 * so that a run needs no build tool to write its report; a test builds it anew and compares.
 */
const templatePath = new URL('./template.html', import.meta.url)
let template: string | undefined

/** JSON within a script element: no `<` is left that could end it. */
const embedded = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

function fill(places: { title: string; summary: Html; data: unknown }): string {
  template ??= readFileSync(templatePath, 'utf8')
  const texts: Readonly<Record<string, string>> = {
    title: escapeHtml(places.title),
    summary: places.summary.text,
    data: embedded(places.data),
  }
  return template.replaceAll(/\{\{(title|summary|data)\}\}/g, (_, place: string) => texts[place] ?? '')
}

/** Everything that was counted, bucket by bucket, is for programs: it stays in report.json. */
const shown = ({ frame: _, ...report }: Report): Omit<Report, 'frame'> => report

/** One self-contained page: the verdict first, the evidence below it. */
export function toPage(report: Report): string {
  const { run, verdict } = report
  return fill({ title: `${run.name}: ${verdict}`, summary: inShort(report), data: [shown(report)] })
}

/** Two to five runs side by side, the first of them the baseline. */
export function toComparePage(reports: readonly Report[]): string {
  const names = reports.map(({ run }) => run.runId)
  return fill({ title: `Compared: ${names.join(', ')}`, summary: comparedInShort(reports), data: reports.map(shown) })
}

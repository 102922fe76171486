import { count, plainSpaces } from '@onrush/protocol/figures'
import type { Report } from '@onrush/protocol/report'
import { printable } from './printable.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

const xml = (text: string): string =>
  printable(text).replaceAll(/[&<>"'\n\r\t]/g, character => entities[character] ?? '')

interface Case {
  readonly name: string
  readonly className: string
  readonly failure?: string
  readonly error?: string
}

function suite(name: string, cases: readonly Case[], seconds: string, timestamp: string): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length
  const errors = cases.filter(({ error }) => error !== undefined).length
  const written = cases.map(each => {
    const open = `    <testcase name="${xml(each.name)}" classname="${xml(each.className)}" time="0"`
    const [tag, message] = each.error === undefined ? ['failure', each.failure] : ['error', each.error]
    if (message === undefined) return `${open}/>`
    return `${open}>\n      <${tag} message="${xml(message)}"/>\n    </testcase>`
  })
  return [
    `  <testsuite name="${xml(name)}" tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="0" time="${seconds}" timestamp="${xml(timestamp)}">`,
    ...written,
    '  </testsuite>',
  ].join('\n')
}

function thresholdCases({ thresholds, run }: Report): Case[] {
  return thresholds.map(({ metric, check, passed, detail }) => ({
    name: `${metric}: ${check}`,
    className: `${run.name}.thresholds`,
    ...(passed ? {} : { failure: detail }),
  }))
}

function checkCases({ summary, run }: Report): Case[] {
  return summary.steps.flatMap(({ scenario, step, checks }) =>
    checks.map(({ label, passed, failed }) => ({
      name: label,
      className: `${run.name}.checks.${scenario}.${step}`,
      ...(failed === 0 ? {} : { failure: plainSpaces(`${count(failed)} of ${count(passed + failed)} did not hold`) }),
    })),
  )
}

/** Whether the run itself can be believed: errors, not failures, because the target is not to blame. */
function runCases({ generator, run, status, error, workers }: Report): Case[] {
  const className = `${run.name}.run`
  return [
    { name: 'generator kept up', className, ...(generator.valid ? {} : { error: generator.reasons.join('; ') }) },
    { name: 'run was carried out', className, ...(status === 'failed' ? { error: error ?? 'the run failed' } : {}) },
    ...workers
      .filter(worker => worker.status === 'lost' || worker.status === 'failed')
      .map(worker => ({ name: `worker ${worker.id}`, className, error: worker.error ?? `was ${worker.status}` })),
  ]
}

/** For continuous integration: thresholds and checks as test cases. */
export function toJunit(report: Report): string {
  const seconds = (report.elapsedMs / 1000).toFixed(3)
  const timestamp = report.run.startedAt.replace(/(\.\d+)?Z$/, '')
  const groups = [
    ['thresholds', thresholdCases(report)],
    ['checks', checkCases(report)],
    ['run', runCases(report)],
  ] as const
  const all = groups.flatMap(([, cases]) => cases)
  const failures = all.filter(({ failure }) => failure !== undefined).length
  const errors = all.filter(({ error }) => error !== undefined).length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(report.run.name)}" tests="${all.length}" failures="${failures}" errors="${errors}" time="${seconds}">`,
    ...groups.filter(([, cases]) => cases.length > 0).map(([name, cases]) => suite(name, cases, seconds, timestamp)),
    '</testsuites>',
    '',
  ].join('\n')
}

import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { codes } from '@onrush/protocol/codes'
import { type Limit, limits } from '@onrush/protocol/limits'
import { expect, test } from 'vitest'

const file = join(resolve(import.meta.dirname, '..'), 'docs/limits.md')

const grouped = (value: number): string => String(value).replaceAll(/\B(?=(\d{3})+$)/g, ' ')

function valueText({ value, unit }: Limit): string {
  if (unit === 'bytes' && value % 1_048_576 === 0) return `${grouped(value / 1_048_576)} MiB`
  if (unit === 'bytes' && value % 1_024 === 0) return `${grouped(value / 1_024)} KiB`
  if (unit === 'milliseconds') return `${grouped(value / 86_400_000)} days`
  return `${grouped(value)}${unit === '' ? '' : ` ${unit}`}`
}

const beyond: Readonly<Record<string, string>> = {
  cut: 'it is cut',
  closed: 'the connection is closed',
  'oldest go': 'the oldest go; never one that runs',
  'begun anew': 'a new one is begun',
  'counted together': 'the rest is counted as `(other)`',
}

function rowOf(limit: Limit): string {
  const status = Object.entries(codes).find(([code]) => code === limit.error)?.[1]
  const told = status === undefined ? beyond[limit.error] : `${status} \`${limit.error}\``
  return `| ${limit.what} | ${valueText(limit)} | ${told} | ${limit.setting === undefined ? '' : `\`${limit.setting}\``} |`
}

const page = `# Limits

Everything that is bounded, how far it may go, and what happens beyond. The table is printed from the constants that the
services enforce (\`libs/protocol/src/limits.ts\`); \`UPDATE_DOCS=1 onrush test test/limits-documentation.test.ts\` prints it again.

| what | at most | beyond | changed by |
|---|---|---|---|
${Object.values(limits).map(rowOf).join('\n')}

A setting in MB or days stands for the number in the table's own unit: \`ONRUSH_KEEP_MB=1024\` keeps 1 GiB of reports.
`

test('docs/limits.md says what is enforced', async () => {
  if (process.env.UPDATE_DOCS !== undefined) await writeFile(file, page)
  expect(await readFile(file, 'utf8')).toBe(page)
})

test('every limit has a value and says what happens beyond', () => {
  for (const [name, limit] of Object.entries<Limit>(limits)) {
    expect(limit.value, name).toBeGreaterThan(0)
    expect(limit.error in codes || limit.error in beyond, name).toBe(true)
  }
})

import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type AuditEntry, AuditLog } from './audit.ts'
import type { Log } from './log.ts'

const bounds = { bytes: 1_000, files: 3 }
const deed = (n: number): AuditEntry => ({ who: 'ada', from: '::1', action: `start ${n}`, outcome: 'done' })
const silent: Log = () => {}

/** Two services of one host, a second between any two deeds. */
async function audited({ log = silent, files = bounds.files } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'onrush-audit-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'deep', 'audit.ndjson')
  let seconds = 0
  const of = (node: string) => new AuditLog(file, node, () => new Date(1_000 * seconds++), log, { ...bounds, files })
  const names = async () =>
    (await readdir(join(folder, 'deep'))).sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  const deeds = async () => {
    const lines: string[] = []
    const found = await names()
    for (const name of [...found.slice(1), ...found.slice(0, 1)]) {
      lines.push(...(await readFile(join(folder, 'deep', name), 'utf8')).trim().split('\n'))
    }
    return lines.map((line): string => JSON.parse(line).action)
  }
  return { file, of, names, deeds }
}

it('begins a new file before one grows too large, and nothing is lost', async () => {
  const { file, of, names, deeds } = await audited()
  const log = of('r1')
  for (let n = 0; n < 30; n++) await log.write(deed(n))
  const found = await names()
  expect(found.length).toBe(4)
  expect(found[0]).toBe('audit.ndjson')
  expect(found.slice(1).every(name => /^audit-\d{8}T\d{9}Z-r1\.ndjson$/.test(name))).toBe(true)
  for (const name of found) expect((await stat(join(file, '..', name))).size).toBeLessThanOrEqual(bounds.bytes)
  expect(await deeds()).toEqual(Array.from({ length: 30 }, (_, n) => `start ${n}`))
})

it('removes the oldest files, and none that is not its own', async () => {
  const { file, of, names, deeds } = await audited()
  const log = of('r1')
  await log.write(deed(0))
  await mkdir(join(file, '..', 'audits'))
  for (let n = 1; n < 200; n++) await log.write(deed(n))
  expect((await names()).filter(name => name !== 'audits')).toHaveLength(bounds.files + 1)
  await rm(join(file, '..', 'audits'), { recursive: true })
  const kept = await deeds()
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, n) => `start ${200 - kept.length + n}`))
})

it('two services that share it lose no line of each other', async () => {
  // Each of them may put a file away at once.
  const { of, deeds } = await audited({ files: 100 })
  const [one, other] = [of('r1'), of('w1')]
  const all = Array.from({ length: 24 }, (_, n) => n)
  await Promise.all(all.map(n => (n % 2 === 0 ? one : other).write(deed(n))))
  expect((await deeds()).toSorted()).toEqual(all.map(n => `start ${n}`).toSorted())
})

it('says so where it cannot be written, and keeps nobody from anything', async () => {
  const said: string[] = []
  const { file, of } = await audited({ log: (_, message) => said.push(message) })
  await mkdir(file, { recursive: true })
  await of('r1').write(deed(0))
  expect(said).toEqual(['the audit log could not be written'])
})

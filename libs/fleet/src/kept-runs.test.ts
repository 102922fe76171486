import { mkdir, mkdtemp, readdir, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Kept, removeOldRuns, toRemove } from './kept-runs.ts'

const idOf = (i: number) => `run-20260101000000-${String(i).padStart(6, '0')}`

it('removes the oldest, until what stays is within all three bounds; an open run never', () => {
  const kept = fc.record({ bytes: fc.nat(100), changedAt: fc.nat(1_000), open: fc.boolean() })
  const keep = fc.record({ runs: fc.nat(10), ageMs: fc.nat(1_000), bytes: fc.nat(500) })
  fc.assert(
    fc.property(fc.array(kept, { maxLength: 30 }), keep, (entries, bounds) => {
      const all: Kept[] = entries.map((each, i) => ({ ...each, runId: idOf(i), path: '' }))
      const open = new Set(all.filter((_, i) => entries[i]?.open).map(({ runId }) => runId))
      const gone = new Set(toRemove(all, bounds, open, 1_000))
      const stays = all.filter(each => !gone.has(each) && !open.has(each.runId))
      expect([...gone].every(({ runId }) => !open.has(runId))).toBe(true)
      expect(stays.length).toBeLessThanOrEqual(bounds.runs)
      expect(stays.every(({ changedAt }) => 1_000 - changedAt <= bounds.ageMs)).toBe(true)
      expect(stays.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(bounds.bytes)
      const youngestGone = Math.max(-1, ...[...gone].map(({ changedAt }) => changedAt))
      expect(stays.every(({ changedAt }) => changedAt >= youngestGone)).toBe(true)
    }),
  )
})

it('touches nothing but what is called by a run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'onrush-kept-'))
  const place = async (name: string, age: number) => {
    const path = join(folder, name)
    if (name.endsWith('.ndjson')) await writeFile(path, 'x'.repeat(1_000))
    else {
      await mkdir(path)
      await writeFile(join(path, 'index.html'), 'x'.repeat(1_000))
    }
    await utimes(path, new Date(1_000_000 - age), new Date(1_000_000 - age))
  }
  for (const [i, name] of [idOf(0), `${idOf(1)}.ndjson`, idOf(2), `${idOf(3)}.unfinished`].entries())
    await place(name, i * 1_000)
  await place('notes', 9_000_000)
  await writeFile(join(folder, 'read.me'), '')
  const keep = { runs: 2, ageMs: 500_000, bytes: 1_000_000 }
  expect(await removeOldRuns(folder, keep, new Set([idOf(3)]), 1_000_000)).toEqual([idOf(2)])
  expect((await readdir(folder)).sort()).toEqual(
    ['notes', 'read.me', idOf(0), `${idOf(1)}.ndjson`, `${idOf(3)}.unfinished`].sort(),
  )
  const small = { ...keep, bytes: 1_500 }
  expect(await removeOldRuns(folder, small, new Set([idOf(3)]), 1_000_000)).toEqual([idOf(1)])
  expect(await removeOldRuns(join(folder, 'nowhere'), keep, new Set(), 0)).toEqual([])
})

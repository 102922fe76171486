import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildReport } from './build-report.ts'
import { readRunLog } from './read-run-log.ts'
import { ReportFolder } from './report-folder.ts'
import { sampleRun } from './sample-run.testing.ts'

const run = sampleRun({ seconds: 3, perSecond: 2 })
let parent = ''
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'onrush-report-'))
})
afterEach(() => rm(parent, { recursive: true, force: true }))

async function write(folder: string): Promise<void> {
  const written = await ReportFolder.open(folder)
  for (const entry of [run.header, ...run.frames, run.end]) written.log(entry)
  await written.finish(buildReport(run))
}

it('puts the whole folder into place at once, and nothing beside it', async () => {
  const folder = join(parent, 'deep', 'run-1')
  await write(folder)
  expect((await readdir(folder)).sort()).toEqual(['index.html', 'junit.xml', 'log.ndjson', 'report.json', 'stats.csv'])
  expect(await readdir(join(parent, 'deep'))).toEqual(['run-1'])
})

it('writes the log while the run goes on', async () => {
  const folder = join(parent, 'run-2')
  const written = await ReportFolder.open(folder)
  written.log(run.header)
  for (const frame of run.frames) written.log(frame)
  await expect
    .poll(async () => (await readFile(join(parent, 'run-2.unfinished', 'log.ndjson'), 'utf8')).split('\n').length)
    .toBe(5)
  const log = await readRunLog((await readFile(join(parent, 'run-2.unfinished', 'log.ndjson'), 'utf8')).split('\n'))
  expect(log.frames).toHaveLength(3)
  expect(await readdir(parent)).toEqual(['run-2.unfinished'])
  await written.discard()
  expect(await readdir(parent)).toEqual([])
})

it('replaces an earlier report, and refuses a folder of something else', async () => {
  const folder = join(parent, 'latest')
  await write(folder)
  await write(folder)
  await writeFile(join(folder, 'precious.txt'), 'do not lose me')
  await expect(ReportFolder.open(folder)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('precious.txt'),
  })
  expect(await readFile(join(folder, 'precious.txt'), 'utf8')).toBe('do not lose me')
})

it('says why a folder cannot be written', async () => {
  await writeFile(join(parent, 'file'), '')
  await expect(ReportFolder.open(join(parent, 'file', 'run'))).rejects.toMatchObject({ code: 'invalid' })
})

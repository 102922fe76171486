import { describe, expect, it } from 'vitest'
import { buildReport } from './build-report.ts'
import { endOfCut, readRunLog } from './read-run-log.ts'
import { logLine } from './run-log-lines.ts'
import { sampleRun } from './sample-run.testing.ts'

const run = sampleRun({ seconds: 4, perSecond: 3 })
const lines = [run.header, ...run.frames, run.end].map(logLine)
const first = lines[0] ?? ''

it('reads what was written', async () => {
  const log = await readRunLog(lines)
  expect(log).toEqual(JSON.parse(JSON.stringify({ header: run.header, frames: run.frames, end: run.end })))
  expect(JSON.stringify(buildReport({ ...log, end: log.end ?? run.end }))).toBe(JSON.stringify(buildReport(run)))
})

it.each([1, 10, 200])('reads a log that breaks off %d characters before the end of its last frame', async cut => {
  const whole = lines.slice(0, -1)
  const log = await readRunLog([...whole.slice(0, -1), whole.at(-1)?.slice(0, -cut - 1) ?? ''])
  expect(log.frames).toHaveLength(run.frames.length - 1)
  expect(log.end).toBeUndefined()
  const report = buildReport({ ...log, end: endOfCut(log) })
  expect(report).toMatchObject({ status: 'failed', elapsedMs: 3000, totals: { requests: 27, active: 9 } })
  expect(report.workers[0]).toMatchObject({ id: 'w1', status: 'lost' })
})

describe('what is no run log', () => {
  it.each([
    ['an empty file', [], /an empty file/],
    ['another file', ['hello'], /expected a line of JSON/],
    ['a log without its beginning', lines.slice(1), /expected a run's first line/],
    ['a line that is damaged in the middle', [first, '{"type":"fr', ...lines.slice(1)], /log\.ndjson:2|line of JSON/],
    ['an unknown kind of line', [first, '{"type":"other"}'], /expected a line of type/],
    ['a frame that is none', [first, '{"type":"frame","frame":{"v":1}}'], /frame/],
  ])('is refused: %s', async (_, text, message) => {
    const failure = await readRunLog(text).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'invalid' })
    expect(JSON.stringify((failure as { errors: unknown }).errors)).toMatch(message)
  })

  it('is refused when a newer Onrush wrote it', async () => {
    await expect(readRunLog([first.replace('"v":1', '"v":2')])).rejects.toMatchObject({ code: 'version_mismatch' })
  })
})

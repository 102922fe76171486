import { describe, expect, it } from 'vitest'
import { painter } from '../terminal/paint.ts'
import { widthOf } from '../terminal/width.ts'
import { liveLines } from './live-lines.ts'
import type { LiveState } from './live-state.ts'
import { progressLine } from './plain-view.ts'

const plain = painter(false)

const figures = {
  requests: 12_480,
  failed: 10,
  failedShare: 10 / 12_480,
  perSecond: 120,
  due: 72,
  send: 65,
  active: 4,
  dropped: 0,
  lagP99: 8,
}
const row = (step: string) => ({ step, count: 100, perSecond: 10, failed: 0.02, due: 72, send: 65 })

const state: LiveState = {
  title: 'checkout · staging',
  phase: 'running',
  elapsedMs: 30_000,
  durationMs: 120_000,
  progress: 0.25,
  figures,
  rows: [row('log in'), row('a step with quite a long name, longer than anybody would want to read')],
  thresholds: [{ metric: 'duration', check: 'p(95)<1', abort: false, passed: false, detail: '' }],
}

describe('the live view', () => {
  it('shows the plan, the pace, both latencies, failures and each step', () => {
    const lines = liveLines(state, { columns: 100, rows: 24 }, plain)
    expect(lines[0]).toMatch(/^checkout · staging {2}● running +30 s of 2 m, 1 m 30 s left {2}25 %$/)
    expect(lines[1]).toMatch(/^━{25}─+$/)
    expect(lines[2]).toBe('120 /s requests   p95 72.0 ms from due, 65.0 ms from send   failed 0.08 %   4 active')
    expect(lines[3]).toBe('12 480 requests in all   lag p99 8.00 ms   thresholds ✓ 0 ✗ 1')
    expect(lines.join('\n')).toMatch(/log in +100 +10.0 \/s +2.00 % +72.0 ms +65.0 ms/)
  })

  it('never takes more room than the terminal has', () => {
    const many = { ...state, rows: Array.from({ length: 60 }, (_, i) => row(`step ${i} 日本語`)) }
    for (const columns of [20, 40, 61, 80, 200]) {
      for (const rows of [2, 5, 9, 24, 50]) {
        const lines = liveLines(many, { columns, rows }, painter(true))
        expect(lines.length).toBeLessThan(rows)
        for (const line of lines) expect(widthOf(line)).toBeLessThan(columns)
      }
    }
  })

  it('counts the steps that do not fit', () => {
    const many = { ...state, rows: Array.from({ length: 60 }, (_, i) => row(`step ${i}`)) }
    expect(liveLines(many, { columns: 80, rows: 24 }, plain).at(-1)).toMatch(/^… and \d+ more steps$/)
  })

  it('lets no name do anything to the terminal', () => {
    const lines = liveLines(
      { ...state, title: 'a\x1b[2Jb', rows: [row('x\x1b]0;title\x07')] },
      { columns: 80, rows: 24 },
      plain,
    )
    expect(lines.join('')).not.toContain('\x1b')
  })

  it('says what is going on before anything was measured', () => {
    const early = {
      ...state,
      phase: 'setup' as const,
      figures: undefined,
      rows: [],
      progress: undefined,
    }
    expect(liveLines(early, { columns: 80, rows: 24 }, plain)).toEqual([
      expect.stringMatching(/^checkout · staging {2}● setting up\s*$/),
    ])
  })
})

it('writes a line for a log', () => {
  expect(progressLine(state)).toBe(
    '30 s of 2 m, 25 %; 4 active; 12 480 requests, 120 /s; p95 72.0 ms due, 65.0 ms send; failed 0.08 %',
  )
})

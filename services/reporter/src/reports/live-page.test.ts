import { linksOf } from '@onrush/protocol/job'
import { expect, it } from 'vitest'
import { livePage } from './live-page.ts'

const job = {
  runId: 'a-1',
  name: '<script>alert(1)</script>',
  kind: 'single' as const,
  createdAt: '2026-01-02T03:04:05.000Z',
  workers: [{ id: 'w1', status: 'failed' as const, error: '"><img src=x>' }],
  plan: { durationMs: 30_000, arrivals: 1_500 },
  links: linksOf('a-1'),
}

it('loads itself again while the run goes on, and writes nothing as markup that is not ours', () => {
  const page = livePage({ ...job, status: 'queued', waiting: '1 more idle worker is needed' })
  expect(page).toContain('http-equiv="refresh"')
  expect(page).toContain('1 more idle worker is needed')
  expect(page).not.toMatch(/<script|<img/)
})

it('rests when the run is over', () => {
  const page = livePage({ ...job, status: 'failed', error: 'it waited 2 s for workers' })
  expect(page).not.toContain('http-equiv="refresh"')
  expect(page).toContain('it waited 2 s for workers')
})

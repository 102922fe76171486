import type { TraceMessage } from '@onrush/protocol/trace'
import { expect, it } from 'vitest'
import { TraceBatch } from './trace-batch.ts'

it('sends what there is room for, and counts the rest', () => {
  const sent: TraceMessage[] = []
  const batch = new TraceBatch('w1', message => sent.push(message))
  for (let i = 0; i < 250; i++) batch.add('1-1', { type: 'pause', ms: i })
  batch.add('1-2', { type: 'failure', step: 's', kind: 'status', message: 'x'.repeat(300_000) })
  batch.flush()
  batch.flush()
  batch.add('1-3', { type: 'end', ok: true })
  batch.flush()
  expect(sent.map(({ events, leftOut }) => [events.length, leftOut])).toEqual([
    [200, 51],
    [1, 0],
  ])
})

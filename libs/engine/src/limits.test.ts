import type { Population } from '@onrush/protocol/plan'
import { expect, test } from 'vitest'
import { limitWarnings, readMachineLimits } from './limits.ts'

const of = (inject: Population['inject']) => ({ populations: [{ name: 'a', scenarios: ['a'], inject }], seed: 1 })
const many = of([{ type: 'constantConcurrentUsers', users: 5000, duration: '1m' }])
const rate = of([{ type: 'constantUsersPerSec', rate: 1000, duration: '1m' }])

test('warns of what the plan will run into, and of nothing else', () => {
  expect(limitWarnings(many, { files: 20_000, ports: 28_000 })).toEqual([])
  expect(limitWarnings(many, { files: 1024, ports: 28_000 })).toEqual([expect.stringContaining('ulimit -n 6000')])
  expect(limitWarnings(many, { files: 20_000, ports: 4000 })).toEqual([expect.stringContaining('local ports')])
  expect(limitWarnings(rate, { files: 20_000, ports: 28_000 })).toEqual([])
  expect(limitWarnings(rate, { files: 20_000, ports: 28_000 }, { connectionsPerSession: true })).toEqual([
    expect.stringContaining('60000 local ports'),
  ])
  expect(limitWarnings(many, { files: undefined, ports: undefined })).toEqual([])
})

test('knows this machine', async () => {
  const { files, ports } = await readMachineLimits()
  if (process.platform !== 'linux') return
  expect(files).toBeGreaterThan(0)
  expect(ports).toBeGreaterThan(0)
})

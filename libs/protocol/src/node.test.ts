import { expect, it } from 'vitest'
import { check } from './check.ts'
import { NodeRecord, RunId } from './node.ts'

const worker = {
  id: 'w1',
  role: 'worker',
  address: 'http://127.0.0.1:7071',
  hostname: 'box',
  version: '0.1.0',
  protocol: 1,
  status: 'idle',
  startedAt: '2026-11-20T10:00:00.000Z',
  cores: 2,
  threads: 1,
  memory: { total: 100, used: 10 },
  load: 0.1,
}

it('accepts a worker as it announces itself', () => {
  expect(check(NodeRecord, worker).ok).toBe(true)
})

it('refuses an address that is not http', () => {
  expect(check(NodeRecord, { ...worker, address: 'javascript:alert(1)' }).ok).toBe(false)
})

it.each(['../etc/passwd', 'a/b', 'A', '', '-a', 'a-', 'a'.repeat(81), 'a%2fb', 'a\0'])('refuses %j as a run id', id => {
  expect(RunId.safeParse(id).success).toBe(false)
})

it('accepts a run id as we make them', () => {
  expect(RunId.safeParse('checkout-20261120101530-k3x9ab').success).toBe(true)
})

import type { Fault } from '@onrush/protocol/problem'
import { expect, test } from 'vitest'
import { createEnvironment } from './environment.ts'

test('values refer to earlier ones, secrets keep their texts', () => {
  const faults: Fault[] = []
  const { values, secretTexts } = createEnvironment(
    { host: 'h', api: 'http://{{$._env.host}}/v1', keys: { a: 'k1', b: [12, '', null] }, plain: 'p' },
    ['keys', 'unknown'],
    faults,
  )
  expect(faults).toEqual([])
  expect({ ...values }).toEqual({ host: 'h', api: 'http://h/v1', keys: { a: 'k1', b: [12, '', null] }, plain: 'p' })
  expect(secretTexts).toEqual(['k1', '12'])
})

test('every fault is found', () => {
  const faults: Fault[] = []
  createEnvironment({ a: '{{$._env.b}}', b: '{{$._s.x}}', c: '{{uid()}}', d: 'fine' }, [], faults)
  expect(faults.map(fault => fault.path)).toEqual(['$._env.a', '$._env.b', '$._env.c'])
  expect(faults[0]?.message).toContain('$._env.b finds nothing')
  expect(faults[1]?.message).toContain('not to $._s.x')
  expect(faults[2]?.message).toContain('"uuid"')
})

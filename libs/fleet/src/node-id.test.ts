import { NodeId } from '@onrush/protocol/node'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nodeIdOf } from './node-id.ts'

it('tells host and port', () => {
  expect(nodeIdOf('worker', 'Build-Box.local', 7071)).toBe('build-box-local-7071')
  expect(nodeIdOf('reporter', '…', 7070)).toBe('reporter-7070')
})

it('is a valid id whatever the host is called', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), host => NodeId.safeParse(nodeIdOf('worker', host, 65_535)).success),
  )
})

import { expect, it } from 'vitest'
import { EngineSlot } from './engine-slot.ts'

const slotOf = () => new EngineSlot(() => new Date(0))

it('holds one run at a time', () => {
  const slot = slotOf()
  slot.claim('a')
  expect(() => slot.claim('b')).toThrow(expect.objectContaining({ code: 'worker_busy' }))
  slot.free('finished')
  slot.claim('b')
  expect(slot.view).toMatchObject({ state: 'preparing', runId: 'b' })
})

it('stops the run that is meant and no other', () => {
  const slot = slotOf()
  const said: string[] = []
  slot.claim('a')
  slot.hold({ stop: reason => said.push(`stop ${reason}`), abort: reason => said.push(`abort ${reason}`) })
  expect(slot.stop('x', 'b')).toBe(false)
  expect(slot.stop('x', 'a')).toBe(true)
  expect(slot.abort('y')).toBe(true)
  expect(said).toEqual(['stop x', 'abort y'])
  expect(slot.view.state).toBe('draining')
})

it('remembers how the last run ended, until the next one', () => {
  const slot = slotOf()
  slot.claim('a')
  slot.enter('running')
  slot.free('failed', 'its thread died')
  expect(slot.view).toMatchObject({ state: 'idle', runId: 'a', code: 'failed', error: 'its thread died' })
  expect(slot.stop('x')).toBe(false)
})

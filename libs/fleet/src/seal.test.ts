import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Seal } from './seal.ts'

const ours = new Seal('the secret of this fleet')

it('what is sealed is unreadable, differs each time, and comes back whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 8 }), text => {
      const sealed = ours.text(text)
      expect(sealed).not.toContain(text)
      expect(ours.text(text)).not.toBe(sealed)
      expect(ours.openText(sealed)).toBe(text)
      expect(new Seal('another').openText(sealed)).toBe(sealed)
    }),
  )
})

it('what was never sealed, or was changed, stays what it is', () => {
  const sealed = ours.text('hunter2')
  const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`
  for (const text of ['', 'plain', 'sealed:1:', 'sealed:1:AAAA', 'sealed:2:x', changed])
    expect(ours.openText(text)).toBe(text)
  fc.assert(fc.property(fc.string(), text => ours.openText(text) === text))
})

it('of an environment only what is marked secret is sealed', () => {
  const environment = {
    password: { $secret: 'hunter2' },
    user: 'ada',
    limits: { $secretive: 1, deep: [1] },
    none: null,
  }
  const sealed = ours.environment<unknown>(environment)
  expect(JSON.stringify(sealed)).not.toContain('hunter2')
  expect(sealed).toMatchObject({ user: 'ada', limits: { deep: [1] }, none: null })
  expect(ours.openEnvironment(sealed)).toEqual(environment)
})

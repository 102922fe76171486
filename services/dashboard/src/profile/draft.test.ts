import { check } from '@onrush/protocol/check'
import { Profile } from '@onrush/protocol/injection'
import { describe, expect, it } from 'vitest'
import { draftStep, draftsOf, type InjectionType, injectionOf, kinds, presets } from './draft.ts'

describe('a profile in the form', () => {
  it.each(Object.keys(kinds) as InjectionType[])('begins a step of %s as one that can run', type => {
    expect(check(Profile, [injectionOf(draftStep(type))])).toMatchObject({ ok: true })
  })

  it.each(presets)('keeps every field of "$name" on its way there and back', ({ profile }) => {
    expect(draftsOf(profile).map(injectionOf)).toEqual(profile)
  })

  it('leaves what is no number to the schema, which says so with its place', () => {
    const wrong = injectionOf(draftStep('constantUsersPerSec', { rate: 'many', duration: '' }))
    const checked = check(Profile, [wrong])
    expect(checked.ok ? [] : checked.faults.map(({ path }) => path)).toEqual(['$[0].rate', '$[0].duration'])
  })

  it('writes durations of two parts as texts', () => {
    const [draft] = draftsOf([{ type: 'nothingFor', duration: { value: 90, unit: 'second' } }])
    expect(draft?.texts.duration).toBe('90s')
  })
})

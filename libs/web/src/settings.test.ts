import { expect, it } from 'vitest'
import { forgetSettings, Settings } from './settings.ts'

it('reads what is set and falls back where nothing is', () => {
  const settings = new Settings({ ONRUSH_PORT: '7071', ONRUSH_HOSTS: 'a, b,', ONRUSH_TOKEN: ' ' })
  expect(settings.int('ONRUSH_PORT', 1, 0, 65_535)).toBe(7071)
  expect(settings.int('ONRUSH_THREADS', 3, 1, 64)).toBe(3)
  expect(settings.list('ONRUSH_HOSTS')).toEqual(['a', 'b'])
  expect(settings.text('ONRUSH_TOKEN')).toBeUndefined()
  settings.done()
})

it('tells every wrong setting at once, and what a mistyped one most likely means', () => {
  const settings = new Settings({ ONRUSH_PORT: 'http', ONRUSH_ID: 'A B', ONRUSH_TOKN: 'x', PATH: '/bin' })
  settings.int('ONRUSH_PORT', 1, 0, 65_535)
  settings.matching('ONRUSH_ID', /^[a-z]+$/, 'an id of a-z')
  settings.text('ONRUSH_TOKEN')
  expect(() => settings.done()).toThrow(
    expect.objectContaining({
      code: 'invalid',
      errors: [
        { path: 'ONRUSH_PORT', message: 'expected a whole number from 0 to 65535, got "http"' },
        { path: 'ONRUSH_ID', message: 'expected an id of a-z, got "A B"' },
        { path: 'ONRUSH_TOKN', message: 'unknown setting (did you mean "ONRUSH_TOKEN"?)' },
      ],
    }),
  )
})

it('leaves nothing of ours to those who inherit the environment', () => {
  const env = { PATH: '/bin', ONRUSH_TOKEN: 'x', ONRUSH_TARGETS: 'y', REDIS_URL: 'redis://:secret@host' }
  forgetSettings(env)
  expect(env).toEqual({ PATH: '/bin' })
})

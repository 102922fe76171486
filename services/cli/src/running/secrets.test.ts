import { Simulation } from '@onrush/protocol/simulation'
import { describe, expect, it } from 'vitest'
import { commandLine } from './command-line.ts'
import { chooseEnvironment, pair } from './environment-flags.ts'
import { secretsOf, Veil } from './secrets.ts'

const simulation = Simulation.parse({
  environments: {
    local: { shop: 'http://a', key: { $secret: 'local-key' } },
    staging: { shop: 'http://b', key: { $secret: 'staging-key' } },
  },
  scenarios: [{ name: 'a', steps: [{ type: 'http', name: 'x', method: 'GET', url: 'http://x' }] }],
})
const flags = { environment: undefined, env: [], 'env-file': undefined }

describe('the environment', () => {
  it('is the first of the script where none is asked for', () => {
    expect(chooseEnvironment(flags, simulation, '/')).toMatchObject({ name: 'local', whole: { shop: 'http://a' } })
  })
  it('keeps secret what the script calls secret, and what is named like a secret', () => {
    const env = [
      ['key', 'mine-mine'],
      ['API_TOKEN', 'token-token'],
      ['shop', 'http://c'],
    ] as const
    const { over } = chooseEnvironment({ ...flags, environment: 'staging', env }, simulation, '/')
    expect(over).toEqual({ key: { $secret: 'mine-mine' }, API_TOKEN: { $secret: 'token-token' }, shop: 'http://c' })
    expect(new Veil(secretsOf(over)).environment(over)).toEqual({ key: '***', API_TOKEN: '***', shop: 'http://c' })
  })
  it('is refused when the script has none of that name', () => {
    expect(() => chooseEnvironment({ ...flags, environment: 'stagin' }, simulation, '/')).toThrow(
      'did you mean "staging"',
    )
  })
})

it.each([
  ['A=1', { value: ['A', '1'] }],
  ['A=b=c', { value: ['A', 'b=c'] }],
  ['A=', { value: ['A', ''] }],
  ['A', { problem: expect.stringContaining('KEY=VALUE') }],
  ['1A=x', { problem: expect.stringContaining('KEY=VALUE') }],
])('reads the variable %s', (text, expected) => {
  expect(pair(text)).toEqual(expected)
})

describe('a command line', () => {
  const veil = new Veil(['hush-hush'])
  it.each([
    [['a.ts', '--users', '3'], 'onrush run a.ts --users 3'],
    [['my script.ts', "it's"], `onrush run 'my script.ts' 'it'\\''s'`],
    [['--set', 'x=hush-hush'], "onrush run --set 'x=***'"],
    [['--set', 'PASSWORD=unknown'], "onrush run --set 'PASSWORD=***'"],
    [['--header', 'Authorization: Bearer abc'], "onrush run --header 'Authorization: ***'"],
    [['--header', 'accept: text/html'], "onrush run --header 'accept: text/html'"],
    [['http://ada:pass@host/x'], "onrush run 'http://ada:***@host/x'"],
  ])('%j is written so that a shell reads it, without secrets', (words, expected) => {
    expect(commandLine('run', words, veil)).toBe(expected)
  })
})

it('leaves texts alone that are too short to be secrets', () => {
  expect(new Veil(['1', 'ab']).text('1 ab abc')).toBe('1 ab abc')
})

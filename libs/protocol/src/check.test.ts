import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { check, demand } from './check.ts'
import { OnrushError } from './error.ts'
import { Simulation } from './simulation.ts'

const faults = (input: unknown): Record<string, string> => {
  const checked = check(Simulation, input)
  return checked.ok ? {} : Object.fromEntries(checked.faults.map(fault => [fault.path, fault.message]))
}

const home = { type: 'http', name: 'home', method: 'GET', url: 'http://127.0.0.1:7090/json' }
const simulationOf = (over: object, step: object = home) => ({
  scenarios: [{ name: 'browse', steps: [step], ...over }],
})

describe('checking a simulation', () => {
  it("accepts the design's example of an inline spec", () => {
    const spec = {
      description: 'Three at once',
      scenarios: [
        {
          name: 'browse',
          inject: [{ type: 'atOnceUsers', users: 3 }],
          steps: [{ ...home, assert: { '$.status': 200 }, export: { id: '$.entity.id' } }],
        },
      ],
    }
    expect(check(Simulation, spec)).toEqual({ ok: true, value: spec })
  })

  it('gives all problems at once, each with its JSON path and what was expected', () => {
    expect(
      faults({
        description: 3,
        scenarios: [
          {
            name: 'x',
            inject: [{ type: 'atOnceUser', users: 3 }, { type: 'atOnceUsers', users: -3 }, 5],
            steps: [
              { type: 'htp' },
              { ...home, method: 'GTE', methd: 'GET' },
              { type: 'repeat', times: 2, steps: [{ type: 'pause', for: '3x' }] },
            ],
            feed: { file: 3 },
          },
        ],
      }),
    ).toEqual({
      '$.description': 'expected a string, got 3',
      '$.scenarios[0].inject[0].type': expect.stringContaining('did you mean "atOnceUsers"?'),
      '$.scenarios[0].inject[1].users': 'expected number to be >=0, got -3',
      '$.scenarios[0].inject[2]': 'expected an object, got 5',
      '$.scenarios[0].steps[0].type': expect.stringContaining('did you mean "http"?'),
      '$.scenarios[0].steps[1].method': expect.stringContaining('did you mean "GET"?'),
      '$.scenarios[0].steps[1].methd': 'unknown field "methd" (did you mean "method"?)',
      '$.scenarios[0].steps[2].steps[0].for': expect.stringContaining('a duration like "500ms"'),
      '$.scenarios[0].feed.file': 'expected a string, got 3',
    })
  })

  it('names a missing field as required', () => {
    expect(faults({ scenarios: [{ steps: [home] }] })).toEqual({
      '$.scenarios[0].name': 'expected a string, got nothing: this field is required',
    })
  })

  it.each([
    [
      'an unknown operator',
      { assert: { '$.status': { $gtt: 1 } } },
      "$.scenarios[0].steps[0].assert['$.status'].$gtt",
      'did you mean "$gt"',
    ],
    ['a path without $', { assert: { status: 200 } }, '$.scenarios[0].steps[0].assert.status', 'starts with "$."'],
    ['an empty $or', { assert: { $or: [] } }, '$.scenarios[0].steps[0].assert.$or', 'a list of assertions'],
    [
      'a wrong $type',
      { assert: { '$.a': { $type: 'text' } } },
      "$.scenarios[0].steps[0].assert['$.a'].$type",
      'one of string',
    ],
    [
      'a nested fault',
      { assert: { '$.a': { $not: { $in: 3 } } } },
      "$.scenarios[0].steps[0].assert['$.a'].$not.$in",
      'a list of values',
    ],
    [
      'an export into the reserved scope',
      { export: { a: { path: '$.a', scope: '_g' } } },
      '$.scenarios[0].steps[0].export.a.scope',
      '_g',
    ],
    ['two bodies', { body: 'a', form: { a: 1 } }, '$.scenarios[0].steps[0].form', 'expected one body'],
    [
      'a header that smuggles another',
      { headers: { a: 'b\r\nc: d' } },
      '$.scenarios[0].steps[0].headers.a',
      'line break',
    ],
    ['a relative url without a base', { url: '/json' }, '$.scenarios[0].steps[0].url', 'http.baseUrl'],
  ])('refuses %s', (_, over, path, message) => {
    expect(faults(simulationOf({}, { ...home, ...over }))[path]).toContain(message)
  })

  it.each([
    [
      'open and closed steps in one profile',
      {
        inject: [
          { type: 'atOnceUsers', users: 1 },
          { type: 'constantConcurrentUsers', users: 1, duration: '1s' },
        ],
      },
      '$.scenarios[0].inject',
      'one kind',
    ],
    [
      'stairs that fall below nothing',
      { inject: [{ type: 'incrementUsersPerSec', from: 2, step: -1, times: 4, eachLevelLasting: '1s' }] },
      '$.scenarios[0].inject[0].step',
      'below 0',
    ],
    [
      'a duration beyond a week',
      { inject: [{ type: 'nothingFor', duration: '8d' }] },
      '$.scenarios[0].inject[0].duration',
      'at most 7d',
    ],
    [
      'random unique rows',
      { feed: { rows: [{}], order: 'random', share: 'unique' } },
      '$.scenarios[0].feed.order',
      'unique rows',
    ],
    ['a prototype as a variable', { imports: { constructor: 1 } }, '$.scenarios[0].imports.constructor', 'reserved'],
    ['load fields without a load', { loop: { forever: true } }, '$.scenarios[0].loop', 'inject'],
  ])('refuses %s', (_, over, path, message) => {
    expect(faults(simulationOf(over))[path]).toContain(message)
  })

  it('refuses a connection that is not declared, however deep its step lies', () => {
    const step = {
      type: 'when',
      if: { '$.status': 200 },
      then: [{ type: 'sql', name: 'q', on: 'db', query: 'select 1' }],
    }
    expect(faults(simulationOf({}, step))['$.scenarios[0].steps[0].then[0].on']).toContain('no SQL connection "db"')
  })

  it('never throws, whatever it is given', () => {
    fc.assert(fc.property(fc.anything(), input => !check(Simulation, input).ok))
  })

  it('changes nothing in what it accepts, so that checking twice is checking once', () => {
    const spec = simulationOf({ inject: [{ type: 'rampUsers', users: 10, duration: { value: 90, unit: 'second' } }] })
    const once = check(Simulation, spec)
    expect(once.ok && check(Simulation, once.value)).toEqual({ ok: true, value: spec })
  })
})

describe('demanding a value', () => {
  it('throws one error that holds every fault', () => {
    const wrong = () => demand(z.strictObject({ a: z.string(), b: z.int() }), { a: 1, b: 'x' }, 'the request')
    expect(wrong).toThrow(OnrushError)
    expect(wrong).toThrow('the request has 2 problems: $.a: expected a string, got 1; $.b: expected a number, got "x"')
  })
})

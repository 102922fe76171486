import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { instantValue } from './instants.ts'
import { jsonValue } from './json-value.ts'
import { mariadbValue } from './mariadb-values.ts'
import { bigintValue, decimalValue, floatValue, singleValue, wholeValue } from './numbers.ts'
import { parseArray } from './postgres-array.ts'
import { postgresValue } from './postgres-values.ts'
import { sqliteBinding, sqliteValue } from './sqlite-values.ts'

describe('whole numbers', () => {
  it.each([
    ['0', 0],
    ['-42', -42],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['18446744073709551615', '18446744073709551615'],
  ])('%s', (text, value) => {
    expect(wholeValue(text)).toBe(value)
    expect(bigintValue(BigInt(text))).toBe(value)
  })
})

describe('decimals', () => {
  it.each([
    ['12.50', 12.5],
    ['0.10', 0.1],
    ['-0.001', -0.001],
    ['0', 0],
    ['-0.00', 0],
    ['100', 100],
    ['123456789012345', 123456789012345],
    ['12345678901234567890.12', '12345678901234567890.12'],
    ['0.12345678901234567890', '0.12345678901234567890'],
    ['9007199254740993', '9007199254740993'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
  ])('%s', (text, value) => {
    expect(decimalValue(text)).toBe(value)
  })

  test('a number always stands for exactly the digits of the text', () => {
    const digits = fc.stringMatching(/^-?\d{1,20}(\.\d{1,20})?$/)
    fc.assert(
      fc.property(digits, text => {
        const value = decimalValue(text)
        if (typeof value === 'string') return value === text
        // Compared as fractions of whole numbers, without doubles.
        const scaled = (written: string) => {
          const [whole = '', fraction = ''] = written.replace('-', '').split('.')
          return BigInt(whole + fraction.padEnd(40, '0')) * (written.startsWith('-') ? -1n : 1n)
        }
        // Very small ones are written with an exponent, which says the same digits.
        const shown = String(value)
        return shown.includes('e') ? Number(text) === value : scaled(shown) === scaled(text)
      }),
    )
  })
})

test('4-byte floats are as short as they can be and still the same float', () => {
  expect(singleValue(Math.fround(0.1))).toBe(0.1)
  expect(singleValue(Math.fround(16777216))).toBe(16777216)
  expect(singleValue(Number.POSITIVE_INFINITY)).toBe('Infinity')
  expect(floatValue(Number.NaN)).toBe('NaN')
  fc.assert(
    fc.property(
      fc.float({ noNaN: true, noDefaultInfinity: true }),
      each => Math.fround(Number(singleValue(each))) === each,
    ),
  )
})

describe('instants', () => {
  it.each([
    ['2026-01-02 03:04:05', '2026-01-02T03:04:05'],
    ['2026-01-02 03:04:05.123456', '2026-01-02T03:04:05.123456'],
    ['2026-01-02 03:04:05.123456+00', '2026-01-02T03:04:05.123456Z'],
    ['2026-01-02 03:04:05+05:30', '2026-01-01T21:34:05Z'],
    ['2026-01-02 03:04:05.5-08', '2026-01-02T11:04:05.5Z'],
    ['1880-01-01 00:00:00+00:53:28', '1879-12-31T23:06:32Z'],
    ['infinity', 'infinity'],
    ['0001-01-01 00:00:00 BC', '0001-01-01 00:00:00 BC'],
    ['0000-00-00 00:00:00', '0000-00-00T00:00:00'],
  ])('%s', (text, value) => {
    expect(instantValue(text)).toBe(value)
  })
})

test('whole numbers in JSON that a double cannot hold stay text', () => {
  expect(jsonValue('{"a":9007199254740993,"b":1.5,"c":[12345678901234567890,7]}')).toEqual({
    a: '9007199254740993',
    b: 1.5,
    c: ['12345678901234567890', 7],
  })
})

describe("PostgreSQL's lists", () => {
  it.each([
    ['{}', []],
    ['{1,NULL,3}', [1, null, 3]],
    [
      '{{1,2},{3,4}}',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['[0:1]={5,6}', [5, 6]],
  ])('%s', (text, value) => {
    expect(parseArray(text, Number)).toEqual(value)
  })
  it('keeps quoted items whole', () => {
    expect(parseArray('{"a,b","c\\"d","","NULL","x\\\\y",plain}', text => text)).toEqual([
      'a,b',
      'c"d',
      '',
      'NULL',
      'x\\y',
      'plain',
    ])
  })
})

test('values without a rule stay the text they are', () => {
  expect(postgresValue('(1,2)', 600)).toBe('(1,2)')
  expect(postgresValue(null, 23)).toBe(null)
  expect(mariadbValue('x', { name: 'a', columnType: 253, columnLength: 10 })).toBe('x')
  expect(mariadbValue(5, { name: 'a', columnType: 1, columnLength: 1 })).toBe(5)
  expect(sqliteValue(2n, 'BOOLEAN')).toBe(2)
})

test('what SQLite binds', () => {
  expect([true, 5, 3_000_000_000, 1.5, null, undefined, { a: 1 }, [1]].map(sqliteBinding)).toEqual([
    1,
    5,
    3_000_000_000n,
    1.5,
    null,
    null,
    '{"a":1}',
    '[1]',
  ])
})

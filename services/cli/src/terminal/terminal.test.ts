import { describe, expect, it } from 'vitest'
import { painter } from './paint.ts'
import { sizeOf } from './size.ts'
import { textTable } from './text-table.ts'
import { cut, shorten, widthOf } from './width.ts'

const paint = painter(true)

describe('width', () => {
  it.each([
    ['plain', 5],
    [paint('red', 'red'), 3],
    ['12\u202f480', 6],
    ['日本', 4],
    ['é', 1],
    ['e\u0301', 1],
  ])('of %j is %d', (text, width) => {
    expect(widthOf(text)).toBe(width)
  })
})

describe('size', () => {
  it.each([
    [
      { columns: 120, rows: 40 },
      { columns: 120, rows: 40 },
    ],
    [
      { columns: 0, rows: 0 },
      { columns: 80, rows: 24 },
    ],
    [{}, { columns: 80, rows: 24 }],
  ])('of a terminal that says %j is %j', (said, size) => {
    expect(sizeOf(said)).toEqual(size)
  })
})

describe('cut', () => {
  it('leaves what fits', () => {
    expect(cut('12345', 5)).toBe('12345')
  })
  it('never takes more columns than there are', () => {
    for (const text of ['123456', '日本語日本語', paint('red', '123456'), `1${paint('bold', '2345')}67`]) {
      for (let width = 1; width < 7; width++) expect(widthOf(cut(text, width))).toBeLessThanOrEqual(width)
    }
  })
  it('ends the colours it cut', () => {
    expect(cut(paint('red', '123456'), 4)).toBe('\x1b[31m123…\x1b[0m')
  })
})

it('shortens a name in its middle', () => {
  expect(shorten('GET /a/long/path/to/item', 12)).toBe('GET /a…/item')
  expect(shorten('short', 12)).toBe('short')
})

describe('a table', () => {
  const columns = [
    { title: 'step', left: true },
    { title: 'count' },
    { title: 'min', spare: 2 },
    { title: 'max', spare: 1 },
  ]
  const rows = [
    ['log in', '1 200', '1 ms', '9 ms'],
    [paint('red', 'all'), '3', '1 ms', '10 ms'],
  ]
  it('lines words up left and numbers right', () => {
    expect(textTable(columns, rows).map(line => line.replaceAll('\x1b[31m', '').replaceAll('\x1b[39m', ''))).toEqual([
      'step    count   min    max',
      'log in  1 200  1 ms   9 ms',
      'all         3  1 ms  10 ms',
    ])
  })
  it('lets columns go that do not fit, the sparest first', () => {
    expect(textTable(columns, rows, 20)[0]).toBe('step    count    max')
    expect(textTable(columns, rows, 13)[0]).toBe('step    count')
    expect(textTable(columns, rows, 3)[0]).toBe('step    count')
  })
})

it('paints nothing where colours are not wanted', () => {
  expect(painter(false)('red', 'text')).toBe('text')
})

import { appendFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FeedIndex } from './feed-index.ts'
import { FileRows } from './file-rows.ts'
import { testFolder } from './files.testing.ts'
import { type FeedFile, indexFile, type LineFault } from './index-file.ts'

type Indexed = FeedIndex | readonly LineFault[]
const isIndex = (found: Indexed): found is FeedIndex => 'starts' in found

async function index(content: string | Uint8Array, file: Partial<FeedFile> = {}): Promise<Indexed> {
  using folder = testFolder()
  const path = folder.write('feed', content)
  return await indexFile({ path, format: 'csv', delimiter: ',', columns: undefined, ...file })
}

async function rowsOf(content: string | Uint8Array, file: Partial<FeedFile> = {}): Promise<unknown[]> {
  using folder = testFolder()
  const path = folder.write('feed', content)
  const found = await indexFile({ path, format: 'csv', delimiter: ',', columns: undefined, ...file })
  if (!isIndex(found)) expect.fail(JSON.stringify(found))
  const rows = new FileRows(found)
  try {
    return Array.from({ length: rows.rows }, (_, i) => ({ ...rows.row(i) }))
  } finally {
    rows.close()
  }
}

test.each([
  [
    'a header and rows',
    'a,b\n1,2\n3,4\n',
    [
      { a: '1', b: '2' },
      { a: '3', b: '4' },
    ],
  ],
  ['no line break at the end', 'a,b\n1,2', [{ a: '1', b: '2' }]],
  ['line breaks of Windows', 'a,b\r\n1,2\r\n', [{ a: '1', b: '2' }]],
  ['a byte order mark', '\ufeffa,b\n1,2\n', [{ a: '1', b: '2' }]],
  ['and one before a quote', '\ufeff"a",b\n1,2\n', [{ a: '1', b: '2' }]],
  ['values stay text', 'a,b\n007, 1.50 \n', [{ a: '007', b: ' 1.50 ' }]],
  ['empty values', 'a,b,c\n,,\n', [{ a: '', b: '', c: '' }]],
  ['quotes', 'a,b\n"1,2","say ""hi"""\n', [{ a: '1,2', b: 'say "hi"' }]],
  [
    'line breaks inside',
    'a,b\n"1\n2\r\n3",x\n4,5\n',
    [
      { a: '1\n2\r\n3', b: 'x' },
      { a: '4', b: '5' },
    ],
  ],
  ['an empty quoted value', 'a\n""\n', [{ a: '' }]],
  ['lines with nothing on them', '\na\n\n1\n\r\n2\n\n', [{ a: '1' }, { a: '2' }]],
  ['letters of the world', 'näme\nÅsa ☃ 漢\n', [{ näme: 'Åsa ☃ 漢' }]],
  [
    'names that mean something to JavaScript',
    '__proto__,constructor\n1,2\n',
    [
      Object.fromEntries([
        ['__proto__', '1'],
        ['constructor', '2'],
      ]),
    ],
  ],
])('CSV: %s', async (_, content, expected) => {
  expect(await rowsOf(content)).toEqual(expected)
})

test('CSV: another delimiter, and columns that the file does not name', async () => {
  expect(await rowsOf('1;2\n', { delimiter: ';', columns: ['x', 'y'] })).toEqual([{ x: '1', y: '2' }])
})

test('CSV reads what csv-parse reads, wherever the rows are cut', async () => {
  const value = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', ' ', 'ü', ''), maxLength: 8 })
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain(width => fc.array(fc.array(value, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 60 }))
  await fc.assert(
    fc.asyncProperty(table, async rows => {
      const columns = (rows[0] ?? []).map((_, i) => `c${i}`)
      const write = (text: string) => (/[",\r\n]|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
      const csv = [columns, ...rows].map(row => row.map(write).join(',')).join('\n')
      expect(await rowsOf(csv)).toEqual(parse(csv, { columns: true, bom: true }))
    }),
    { numRuns: 60 },
  )
})

test.each([
  ['too many values', 'a,b\n1,2\n1,2,3\n', 3, 'expected 2 values (a, b), got 3'],
  ['too few', 'a,b\n\n"1\n2",3\n4\n', 5, 'expected 2 values (a, b), got 1'],
  ['a quote that is never closed', 'a\n1\n"2\n3\n', 3, 'a quote is never closed'],
  ['a quote inside', 'a\n5" pipe\n6" pipe\n', 2, 'a quote in the middle of'],
  ['text after a quote', 'a,b\n"1"x,2\n', 2, 'expected "," after a closing quote, got "x,2"'],
  ['two columns of one name', 'a,b,a\n1,2,3\n', 1, 'two columns are named "a"'],
  ['a column without a name', 'a,\n1,2\n', 1, 'a column has no name'],
  ['other bytes', Buffer.from('a\nü\n', 'latin1'), 2, 'expected text in UTF-8'],
  ['no rows', 'a,b\n', undefined, 'it has no rows'],
  ['nothing', '', undefined, 'it has no rows'],
])('CSV with %s is refused with its line', async (_, content, line, message) => {
  const found = await index(content)
  if (isIndex(found)) expect.fail('expected faults')
  expect(found[0]?.line).toBe(line)
  expect(found[0]?.message).toContain(message)
})

test('UTF-16 is recognised', async () => {
  expect(await index(Buffer.from('\ufeffa\n1\n', 'utf16le'))).toMatchObject([{ line: 1, message: /UTF-16/ }, {}])
})

test('all faults are told, up to a few', async () => {
  const found = await index(`a,b\n${'1\n'.repeat(1000)}`)
  expect(found).toHaveLength(20)
})

const items = [{ a: 1, 'b c': '[,"]}' }, { a: null }, { a: { deep: ['x\\"', {}] } }]

test.each([
  ['compact', JSON.stringify(items)],
  ['pretty', JSON.stringify(items, null, 2)],
  ['with a byte order mark', `\ufeff\n ${JSON.stringify(items)} \n`],
])('a JSON list, %s', async (_, content) => {
  expect(await rowsOf(content, { format: 'json' })).toEqual(items)
  const found = await index(content, { format: 'json' })
  expect(isIndex(found) && found.columns).toEqual(['a', 'b c'])
})

test('JSON lines', async () => {
  const content = `${items.map(item => JSON.stringify(item)).join('\r\n')}\n\n`
  expect(await rowsOf(content, { format: 'jsonl' })).toEqual(items)
})

test.each([
  ['json', '{"a":1}', 1, 'expected a list like [{"user": "ada"}]'],
  ['json', '[{"a":1},\n{"a":2}', 2, 'the list is never closed'],
  ['json', '[{"a":1},\n{"a":2', 2, 'the list is never closed'],
  ['json', '[{"a":1}]\n[]', 2, 'expected nothing after the list'],
  ['json', '[{"a":1},\n 2]', 2, 'expected a map like {"user": "ada"}, got 2'],
  ['json', '[\n{a:1}]', 2, 'expected JSON'],
  ['json', '[]', undefined, 'it has no rows'],
  ['json', '', 1, 'expected a list'],
  ['jsonl', '{"a":1}\n\n[1]\n', 3, 'expected a map'],
  ['jsonl', '{"a":1}\n{"a":\n', 2, 'expected JSON'],
] as const)('%s %j is refused with its line', async (format, content, line, message) => {
  const found = await index(content, { format })
  if (isIndex(found)) expect.fail('expected faults')
  expect(found[0]?.line).toBe(line)
  expect(found[0]?.message).toContain(message)
})

test('lists of items are the same list, however they are spaced', async () => {
  const json = fc.array(fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }), {
    minLength: 1,
    maxLength: 50,
  })
  await fc.assert(
    fc.asyncProperty(json, fc.constantFrom(0, 1, '\t'), async (list, space) => {
      const expected: unknown = JSON.parse(JSON.stringify(list))
      expect(await rowsOf(JSON.stringify(list, null, space), { format: 'json' })).toEqual(expected)
      expect(await rowsOf(list.map(item => JSON.stringify(item)).join('\n'), { format: 'jsonl' })).toEqual(expected)
    }),
    { numRuns: 60 },
  )
})

test('a file of several megabytes, any row by its number', async () => {
  using folder = testFolder()
  const count = 200_000
  const lines = Array.from({ length: count }, (_, i) => `${i},"row ${i}\n${'x'.repeat(i % 40)}"`)
  const path = folder.write('big.csv', `n,text\n${lines.join('\n')}\n`)
  const found = await indexFile({ path, format: 'csv', delimiter: ',', columns: undefined })
  if (!isIndex(found)) expect.fail(JSON.stringify(found))
  expect(found.rows).toBe(count)
  expect(found.starts.byteLength).toBe((count / 16 + 1) * 8)
  const rows = new FileRows(found)
  for (const i of [0, 1, 15, 16, 17, 99_999, 123_456, count - 1]) {
    expect(rows.row(i)).toEqual({ n: String(i), text: `row ${i}\n${'x'.repeat(i % 40)}` })
  }
  rows.close()
})

test('a row longer than a piece of the file is one row; one without end is refused', async () => {
  const long = 'y'.repeat(3_000_000)
  expect(await rowsOf(`a,b\n1,${long}\n2,z\n`)).toEqual([
    { a: '1', b: long },
    { a: '2', b: 'z' },
  ])
  const found = await index(`a\n"${'z\n'.repeat(9_000_000)}`)
  expect(found).toMatchObject([{ message: /longer than 16 MiB/ }, {}])
})

test('a file that was changed since is not read as another', async () => {
  using folder = testFolder()
  const path = folder.write('feed.csv', 'a\n1\n')
  const found = await indexFile({ path, format: 'csv', delimiter: ',', columns: undefined })
  appendFileSync(path, '2\n')
  expect(() => isIndex(found) && new FileRows(found)).toThrow('was changed while the run was prepared')
})

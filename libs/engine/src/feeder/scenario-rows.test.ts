import { demand } from '@onrush/protocol/check'
import type { Feed } from '@onrush/protocol/feed'
import type { Fault } from '@onrush/protocol/problem'
import { Simulation } from '@onrush/protocol/simulation'
import { expect, test } from 'vitest'
import { testFolder } from './files.testing.ts'
import { indexFile } from './index-file.ts'
import { openScenarioRows } from './scenario-rows.ts'

interface Given {
  feed: Feed | Feed[]
  files?: Record<string, string>
  step?: object
  imports?: object
  seed?: number
}

async function open({ feed, files = {}, step = {}, imports = {}, seed = 1 }: Given) {
  using folder = testFolder()
  const simulation = demand(
    Simulation,
    {
      scenarios: [
        { name: 'main', feed, imports, steps: [{ type: 'http', name: 'it', url: 'http://a.test', ...step }] },
      ],
    },
    'the simulation',
  )
  const [scenario] = simulation.scenarios
  if (scenario === undefined) expect.unreachable()
  const faults: Fault[] = []
  const paths = new Map(Object.entries(files).map(([name, content]) => [name, folder.write(name, content)]))
  const rows = await openScenarioRows(scenario, { files: paths, seed, indexFile }, '$.scenarios[0]', faults)
  const all = async (sessions: number) => {
    const found = await Promise.all(Array.from({ length: sessions }, (_, i) => rows?.rowOf(i + 1)))
    return found.map(row => (row === undefined ? undefined : { ...row }))
  }
  return { faults, all, [Symbol.asyncDispose]: async () => rows?.close() }
}

const users = { 'users.csv': 'user,pin\nada,1\nbob,2\ncem,3\n' }

test('rows follow the number of the session', async () => {
  await using feed = await open({ feed: { file: 'users.csv' }, files: users })
  expect(feed.faults).toEqual([])
  expect(await feed.all(4)).toEqual([
    { user: 'ada', pin: '1' },
    { user: 'bob', pin: '2' },
    { user: 'cem', pin: '3' },
    { user: 'ada', pin: '1' },
  ])
})

test('unique rows are used up', async () => {
  await using feed = await open({ feed: { file: 'users.csv', share: 'unique' }, files: users })
  expect((await feed.all(4)).at(-1)).toBeUndefined()
})

test('shuffled rows are all there, and the same with the same seed', async () => {
  const feed = { feed: { file: 'users.csv', order: 'shuffle', share: 'unique' }, files: users } satisfies Given
  await using one = await open(feed)
  await using two = await open(feed)
  const rows = await one.all(3)
  expect(await two.all(3)).toEqual(rows)
  expect(rows.map(row => row?.user).sort()).toEqual(['ada', 'bob', 'cem'])
})

test('several feeds are one row', async () => {
  await using feed = await open({
    feed: [{ file: 'users.csv' }, { rows: [{ item: 7 }, { item: [8] }] }, { file: 'x.jsonl' }],
    files: { ...users, 'x.jsonl': '{"pin":9}\n' },
  })
  expect(await feed.all(3)).toEqual([
    { user: 'ada', pin: 9, item: 7 },
    { user: 'bob', pin: 9, item: [8] },
    { user: 'cem', pin: 9, item: 7 },
  ])
})

test('the end of one is the end', async () => {
  await using feed = await open({ feed: [{ file: 'users.csv' }, { rows: [{ a: 1 }], share: 'unique' }], files: users })
  expect(await feed.all(2)).toEqual([{ user: 'ada', pin: '1', a: 1 }, undefined])
})

test.each([
  ['a file that is not there', { file: 'u.csv' }, '$.scenarios[0].feed.file', 'there is no file "u.csv"'],
  ['a name that tells no format', { file: 'users' }, '$.scenarios[0].feed.format', 'the name "users" does not tell'],
  [
    'a delimiter that quotes',
    { file: 'users.csv', delimiter: '"' },
    '$.scenarios[0].feed.delimiter',
    'expected a character',
  ],
  [
    'columns for JSON',
    { file: 'x.json', columns: ['a'] },
    '$.scenarios[0].feed.columns',
    'name their values themselves',
  ],
  ['a malformed row', { file: 'bad.csv' }, 'bad.csv:3', 'expected 2 values'],
] as const)('%s is found before the start', async (_, feed, path, message) => {
  const files = { ...users, users: 'x', 'x.json': '[{}]', 'bad.csv': 'a,b\n1,2\n3\n' }
  await using opened = await open({
    feed: { ...feed, columns: 'columns' in feed ? [...feed.columns] : undefined },
    files,
  })
  expect(opened.faults).toMatchObject([{ path }])
  expect(opened.faults[0]?.message).toContain(message)
})

test('every problem of every feed is told at once', async () => {
  await using feed = await open({ feed: [{ file: 'no.csv' }, { file: 'no.json' }] })
  expect(feed.faults.map(({ path }) => path)).toEqual(['$.scenarios[0].feed[0].file', '$.scenarios[0].feed[1].file'])
})

test('a column that is used and not there is found, with the one that was meant', async () => {
  await using feed = await open({
    feed: { file: 'users.csv' },
    files: users,
    step: { url: 'http://a.test/{{$._s.usr}}/{{$._s.user}}', headers: { x: "{{$._s['pn']}}" } },
  })
  expect(feed.faults.map(({ path }) => path)).toEqual(['$.scenarios[0].steps[0]', '$.scenarios[0].steps[0]'])
  expect(feed.faults[0]?.message).toBe(
    '$._s.usr is no column of the feed, and no import or export of this scenario (did you mean "user"?)',
  )
})

test.each([
  ['imported', { imports: { other: 1 }, step: { url: 'http://a.test/{{$._s.other}}' } }],
  ['exported', { step: { url: 'http://a.test/{{$._s.other}}', export: { other: '$.status' } } }],
  ['given a default', { step: { url: "http://a.test/{{$._s.other ?? 'none'}}" } }],
  ['of another scope', { step: { url: 'http://a.test/{{$._j.other}}' } }],
])('a variable that is %s is no column', async (_, more) => {
  await using feed = await open({ feed: { file: 'users.csv' }, files: users, ...more })
  expect(feed.faults).toEqual([])
})

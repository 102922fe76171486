import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { get, inline, run } from './support/engine-run.ts'
import { loggingServer } from './support/logging-server.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const rowsSeen = (seen: readonly { url: string }[]) => seen.map(({ url }) => Number(url.slice('/row/'.length)))

describe('a feed', () => {
  test.each(['sequential', 'shuffle'])('gives unique rows (%s) to one session each, over all threads', async order => {
    const server = await loggingServer()
    const folder = await temporaryFolder()
    const file = join(folder, 'rows.csv')
    await writeFile(file, `id\n${Array.from({ length: 120 }, (_, i) => i).join('\n')}\n`)
    const loaded = inline({
      http: { baseUrl: server.url },
      inject: [{ type: 'rampUsers', users: 120, duration: '500ms' }],
      scenarios: [
        { name: 'a', feed: { file: 'rows.csv', order, share: 'unique' }, steps: [get('row', '/row/{{$._s.id}}')] },
      ],
    })
    const { result } = await run({ ...loaded, files: { 'rows.csv': file } }, { threads: 3 })
    const rows = rowsSeen(server.seen)
    expect(rows.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, i) => i))
    expect(result.shard.imbalances).toEqual([])
  })

  test('that is used up ends an open load: what has no row is cancelled, and it is said', async () => {
    const server = await loggingServer()
    const { result } = await run(
      inline({
        http: { baseUrl: server.url },
        inject: [{ type: 'constantUsersPerSec', rate: 100, duration: '2s' }],
        scenarios: [
          {
            name: 'a',
            feed: { rows: [{ id: 0 }, { id: 1 }, { id: 2 }], share: 'unique' },
            steps: [get('row', '/row/{{$._s.id}}')],
          },
        ],
      }),
    )
    expect(rowsSeen(server.seen).toSorted()).toEqual([0, 1, 2])
    expect(result.shard.imbalances).toEqual([])
    expect(result.shard.books[0]?.cancelled).toBeGreaterThan(100)
    expect(result.shard.notes).toEqual([expect.stringContaining('used up')])
  })

  test('goes round in a closed load: every pass of every user has the next row', async () => {
    const server = await loggingServer()
    await run(
      inline({
        http: { baseUrl: server.url },
        inject: [{ type: 'iterations', iterations: 30, users: 3 }],
        scenarios: [
          {
            name: 'a',
            feed: { rows: Array.from({ length: 10 }, (_, id) => ({ id })) },
            steps: [get('row', '/row/{{$._s.id}}')],
          },
        ],
      }),
    )
    const counts = Map.groupBy(rowsSeen(server.seen), row => row)
    expect([...counts.values()].map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 3))
  })

  test('that is not there is an error before the start', async () => {
    const server = await loggingServer()
    const loaded = inline({
      http: { baseUrl: server.url },
      scenarios: [{ name: 'a', feed: { file: 'none.csv' }, steps: [get('row', '/row')] }],
    })
    await expect(run(loaded)).rejects.toMatchObject({ code: 'invalid', errors: [{ path: '$.scenarios[0].feed.file' }] })
    expect(server.seen).toEqual([])
  })
})

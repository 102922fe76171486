import { MessageChannel } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { askForIndex, FeedIndexes } from './feed-indexes.ts'
import { testFolder } from './files.testing.ts'

test('threads that ask share one index; a file that has changed has another', async () => {
  using folder = testFolder()
  const path = folder.write('users.csv', 'user\nada\nbob\n')
  const file = { path, format: 'csv', delimiter: ',', columns: undefined } as const
  const indexes = new FeedIndexes()
  const channels = [new MessageChannel(), new MessageChannel()]
  for (const { port1 } of channels) indexes.serve(port1)
  const found = await Promise.all(channels.map(({ port2 }) => askForIndex(port2)(file)))
  const starts = found.map(index => ('starts' in index ? index.starts : expect.fail('expected an index')))
  // The same memory on both sides: what is written in one is read in the other.
  const [one, two] = starts.map(each => new Float64Array(each))
  if (one === undefined || two === undefined) expect.unreachable()
  one[0] = 123
  expect(two[0]).toBe(123)

  folder.write('users.csv', 'user\nada\nbob\ncem\n')
  expect(await indexes.index(file)).toMatchObject({ rows: 3 })
  for (const { port1 } of channels) port1.close()
})

test('what cannot be read is an error on the side that asked', async () => {
  const { port1, port2 } = new MessageChannel()
  new FeedIndexes().serve(port1)
  const file = { path: '/nowhere/at/all.csv', format: 'csv', delimiter: ',', columns: undefined } as const
  await expect(askForIndex(port2)(file)).rejects.toThrow('no such file')
  port1.close()
})

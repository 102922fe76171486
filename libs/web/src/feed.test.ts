import { expect, it } from 'vitest'
import { Feed } from './feed.ts'

function clientOf(limit = 100) {
  const client = {
    bufferedAmount: 0,
    got: [] as string[],
    cut: false,
    reads: true,
    send(text: string) {
      client.got.push(text)
      if (!client.reads) client.bufferedAmount += text.length
    },
    terminate: () => {
      client.cut = true
    },
  }
  let now = 0
  const feed = new Feed(client, () => now, { slowBytes: limit, stallMs: 3_000 })
  return { client, feed, wait: (ms: number) => (now += ms) }
}

it('sends everything to a client that reads', () => {
  const { client, feed } = clientOf()
  for (let i = 0; i < 1_000; i++) feed.push(`frame ${i}`)
  expect(client.got).toHaveLength(1_000)
})

it('holds only the latest message for a client that does not read, and sends it once it does', () => {
  const { client, feed } = clientOf(10)
  client.reads = false
  for (let i = 0; i < 1_000; i++) feed.push(`frame ${i}`)
  const before = client.got.length
  expect(client.bufferedAmount).toBeLessThan(30)
  client.bufferedAmount = 0
  feed.tick()
  expect(client.got.slice(before)).toEqual(['frame 999'])
  expect(feed.skipped).toBe(1_000 - before - 1)
})

it('cuts off a client that stays stalled', () => {
  const { client, feed, wait } = clientOf(10)
  client.reads = false
  for (let i = 0; i < 10; i++) feed.push(`frame ${i}`)
  wait(2_999)
  expect(feed.tick()).toBe(true)
  wait(1)
  expect(feed.tick()).toBe(false)
  expect(client.cut).toBe(true)
})

import { fileURLToPath } from 'node:url'
import { Client, credentials, Metadata } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Snapshot } from '../stats/stats.ts'
import { createTarget, type Target } from '../target.ts'

let target: Target
let client: Client
beforeAll(async () => {
  target = await createTarget({ grpcPort: 0 })
  client = new Client(target.grpc ?? '', credentials.createInsecure())
})
afterAll(async () => {
  client.close()
  await target.close()
})
beforeEach(async () => {
  await fetch(`${target.url}/stats/reset`, { method: 'POST' })
})

const catalog = loadSync(fileURLToPath(new URL('./shop.proto', import.meta.url)), { keepCase: true })['shop.Catalog']

function methodOf(name: string) {
  const method = catalog !== undefined && !('format' in catalog) ? catalog[name] : undefined
  if (method === undefined) throw new Error(`no method ${name}`)
  return method
}

function unary(name: string, message: object, metadata = new Metadata()) {
  const { path, requestSerialize, responseDeserialize } = methodOf(name)
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, message, metadata, (error, answer) =>
      error === null ? resolve(answer) : reject(error),
    )
  })
}

const stats = async () => ((await (await fetch(`${target.url}/stats`)).json()) as Snapshot).grpc

it('answers, fails and counts by method and code', async () => {
  expect(await unary('GetItem', { id: 7 })).toMatchObject({ id: 7, name: 'rug 7', price: 3.59, stock: 49, kind: 7 })
  await expect(unary('GetItem', {})).rejects.toMatchObject({ code: 5, details: 'id: expected 1 to 1000, got 0' })
  await expect(unary('Fail', { code: 16 })).rejects.toMatchObject({ code: 16 })
  await expect(unary('Fail', {})).rejects.toMatchObject({ code: 3 })
  expect(await unary('Slow', { ms: 1 })).toEqual({ ms: 1 })
  expect(await stats()).toEqual({
    'shop.Catalog/GetItem': { seen: 2, completed: 2, aborted: 0, inFlight: 0, codes: { 0: 1, 5: 1 } },
    'shop.Catalog/Fail': { seen: 2, completed: 2, aborted: 0, inFlight: 0, codes: { 3: 1, 16: 1 } },
    'shop.Catalog/Slow': { seen: 1, completed: 1, aborted: 0, inFlight: 0, codes: { 0: 1 } },
  })
})

it('lists a page, and stops when nobody listens any more', async () => {
  const { path, requestSerialize, responseDeserialize } = methodOf('ListItems')
  const list = (message: object) =>
    client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, message, new Metadata())
  expect(await list({ page: 2 }).toArray()).toHaveLength(20)
  await expect(list({ page: 51 }).toArray()).rejects.toMatchObject({ code: 3 })
  const slow = list({ page: 1, ms: 60_000 })
  slow.on('error', () => undefined)
  await expect.poll(async () => (await stats())['shop.Catalog/ListItems']?.inFlight).toBe(1)
  slow.cancel()
  await expect
    .poll(async () => (await stats())['shop.Catalog/ListItems'])
    .toEqual({ seen: 3, completed: 2, aborted: 1, inFlight: 0, codes: { 0: 1, 3: 1 } })
})

it('says which port is in use', async () => {
  const grpcPort = Number(target.grpc?.split(':')[1])
  await expect(createTarget({ grpcPort })).rejects.toThrow(
    `port ${grpcPort} on 127.0.0.1 is in use; choose another with --grpc-port, or --grpc-port 0 for any free one`,
  )
})

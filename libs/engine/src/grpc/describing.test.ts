import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ServerDuplexStream } from '@grpc/grpc-js'
import { type DemoTarget, startDemoTarget } from '@onrush/servers/demo-target'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CallWatch } from './call-watch.ts'
import { makeCall } from './grpc-call.ts'
import { channelCredentials, GrpcChannel, metadataOf } from './grpc-channel.ts'
import { bareServer, callOnce } from './grpc-server.testing.ts'
import { readProtos } from './proto-files.ts'

describe('.proto files', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'onrush-proto-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Files lie under names of their own, as on a worker: nothing but the map leads to them. */
  function laid(files: { readonly [name: string]: string }): Map<string, string> {
    const map = new Map<string, string>()
    for (const [name, text] of Object.entries(files)) {
      const place = join(folder, String(Math.random()).slice(2), 'content')
      mkdirSync(dirname(place), { recursive: true })
      writeFileSync(place, `syntax = "proto3"; ${text}`)
      map.set(name, place)
    }
    return map
  }

  const service = 'service S { rpc One(M) returns (M); }'

  test('import what lies beside them, in includes, and what comes with protobuf', () => {
    const files = laid({
      './protos/shop.proto': `package shop; import "money.proto"; import public "common/kind.proto"; import "google/protobuf/timestamp.proto"; import "google/api/annotations.proto"; message M { Money price = 1; common.Kind kind = 2; google.protobuf.Timestamp at = 3; } ${service}`,
      'protos/money.proto': 'package shop; message Money { int64 cents = 1; }',
      '../shared/common/kind.proto': 'package common; import "other.proto"; enum Kind { NONE = 0; LAMP = 1; }',
      '../shared/common/other.proto': 'package common; message Other {}',
    })
    const method = readProtos(['./protos/shop.proto'], ['../shared'], files).method('shop.S/One')
    expect(
      typeof method === 'string'
        ? method
        : method.request.check({ price: { cents: 1 }, kind: 'LAMP', at: { seconds: 1 } }, '$'),
    ).toEqual([])
  })

  test.each<[string, { readonly [name: string]: string }, string]>([
    ['a.proto', {}, 'there is no file "a.proto" beside the script'],
    [
      'a.proto',
      { 'a.proto': 'import "b.proto";' },
      'a.proto imports "b.proto", which is neither beside it nor in "includes"',
    ],
    ['a.proto', { 'a.proto': 'mesage M {}' }, 'a.proto: illegal token'],
    ['a.proto', { 'a.proto': 'message M { Nothing x = 1; }' }, "a.proto: no such Type or Enum 'Nothing'"],
  ])('%s of %j', (name, files, message) => {
    expect(() => readProtos([name], [], laid(files))).toThrow(message)
  })

  test('a service that is not in them', () => {
    const schema = readProtos(['a.proto'], [], laid({ 'a.proto': `package shop; message M {} ${service}` }))
    expect(schema.method('shop.T/One')).toBe('there is no service "shop.T" (did you mean "shop.S"?)')
    expect(schema.method('shop.S/Two')).toBe('shop.S has no method "Two" (known are One)')
  })
})

describe('reflection', () => {
  let target: DemoTarget
  let channel: GrpcChannel
  const watch = new CallWatch()
  beforeAll(async () => {
    target = await startDemoTarget()
    channel = new GrpcChannel([target.grpc], target.grpc, channelCredentials(undefined))
  })
  afterAll(async () => {
    channel.close()
    await target.stop()
  })

  type Stream = ServerDuplexStream<Buffer, Buffer>

  /** Answers as the target does, under the older name. */
  async function relay(stream: Stream): Promise<void> {
    const messages: Buffer[] = []
    for await (const message of stream.iterator({ destroyOnReturn: false })) messages.push(message)
    const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo'
    const limits = { deadline: Date.now() + 10_000, until: Number.POSITIVE_INFINITY, keep: 1000 }
    const request = { path, metadata: metadataOf([]), messages, ...limits }
    const end = await makeCall(channel, request, new AbortController().signal, watch)
    for (const message of end.messages) stream.write(message)
    stream.end()
  }

  test.each(['v1', 'v1alpha'])('of %s', async version => {
    const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`
    await using server = await bareServer({ [path]: { handle: (stream: Stream) => void relay(stream), streams: true } })
    const { outcome } = await callOnce(
      { address: server.address },
      { method: 'shop.Catalog/GetItem', message: { id: 1 } },
    )
    // It describes what it does not have.
    expect(outcome.refusal?.kind).toBe('grpc:UNIMPLEMENTED')
    await expect(callOnce({ address: server.address }, { method: 'shop.Catlog/GetItem' })).rejects.toMatchObject({
      errors: [expect.stringContaining('did you mean "shop.Catalog"?')],
    })
  })

  test('that never answers is waited for only so long', async () => {
    const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo'
    await using server = await bareServer({
      [path]: { handle: (stream: Stream) => void stream.resume(), streams: true },
    })
    const call = callOnce({ address: server.address, deadline: '200ms' }, { method: 'shop.Catalog/GetItem' })
    await expect(call).rejects.toMatchObject({ errors: [expect.stringContaining('no answer within 200 ms')] })
  })
})

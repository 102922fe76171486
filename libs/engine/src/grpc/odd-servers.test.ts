import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ServerCredentials, type ServerDuplexStream, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Certificates, makeCertificates } from '../http/certificates.testing.ts'
import { CallWatch } from './call-watch.ts'
import { makeCall } from './grpc-call.ts'
import { channelCredentials, GrpcChannel, metadataOf } from './grpc-channel.ts'
import { bareServer, callOnce, metadata } from './grpc-server.testing.ts'

let certificates: Certificates
let files: ReadonlyMap<string, string>
beforeAll(async () => {
  certificates = await makeCertificates()
  const folder = join(certificates.files.get('ca.pem') ?? '', '..')
  const proto = join(folder, 'odd.proto')
  writeFileSync(
    proto,
    'syntax = "proto3"; package odd; message M { string text = 1; } service S { rpc One(M) returns (M); rpc Many(stream M) returns (stream M); }',
  )
  files = new Map([...certificates.files, ['odd.proto', proto]])
})
afterAll(() => certificates[Symbol.dispose]())

type Unary = (call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) => void
type Bidi = (call: ServerDuplexStream<Buffer, Buffer>) => void

const one = (handle: Unary, credentials?: ServerCredentials) => bareServer({ '/odd.S/One': { handle } }, credentials)
const many = (handle: Bidi) => bareServer({ '/odd.S/Many': { handle, streams: true } })
/** `text` as a message of one field. */
const said = (text: string): Buffer => Buffer.from([10, text.length, ...Buffer.from(text)])

const call = (address: string, connection: object = {}, step: object = {}, needs: object = {}) =>
  callOnce(
    { address, proto: 'odd.proto', ...connection },
    { method: 'odd.S/One', message: { text: 'hi' }, ...step },
    { files, ...needs },
  )

describe('messages', () => {
  test('that are none', async () => {
    await using server = await one((_, done) => done(null, Buffer.from([0xff, 0xff])))
    const { outcome } = await call(server.address)
    expect(outcome.failure).toMatchObject({ kind: 'malformed_response', message: expect.stringContaining('odd.M') })
    expect(outcome.answer).toEqual({ reach: 'answered', status: 0 })
  })

  test('larger than may be', async () => {
    await using server = await one((_, done) => done(null, Buffer.alloc(65 * 1_048_576)))
    const { outcome } = await call(server.address)
    expect(outcome.refusal?.kind).toBe('too_large')
  })

  test('none at all where one is due, and two', async () => {
    await using server = await bareServer({
      '/odd.S/One': {
        streams: true,
        handle: (stream: ServerDuplexStream<Buffer, Buffer>) => {
          stream.once('data', (bytes: Buffer) => {
            if (bytes.includes('two')) {
              stream.write(said('a'))
              stream.write(said('b'))
            }
            stream.end()
          })
        },
      },
    })
    const none = await call(server.address, {}, { message: { text: 'none' } })
    expect(none.outcome.failure).toEqual({ kind: 'malformed_response', message: 'expected one message, got 0' })
    const two = await call(server.address, {}, { message: { text: 'two' } })
    expect(two.outcome.failure).toEqual({ kind: 'malformed_response', message: 'expected one message, got 2' })
  })
})

describe('streams', () => {
  test('that the server ends while we still send', async () => {
    await using server = await many(stream => {
      stream.write(said('enough'))
      stream.end()
    })
    const messages = Array.from({ length: 500 }, () => ({ text: 'x'.repeat(10_000) }))
    const { outcome, context } = await call(server.address, {}, { method: 'odd.S/Many', message: undefined, messages })
    expect([outcome.failure, outcome.refusal, context.status]).toEqual([undefined, undefined, 0])
    expect(context.entity).toEqual([{ text: 'enough' }])
  })

  test('that fail in their middle keep what came', async () => {
    await using server = await many(stream => {
      stream.write(said('a'))
      stream.write(said('b'), () =>
        stream.emit('error', {
          code: 15,
          details: 'torn',
          metadata: metadata({ 'x-at': '2', 'x-raw-bin': Buffer.from([1, 2]) }),
        }),
      )
    })
    const { outcome, context } = await call(
      server.address,
      {},
      { method: 'odd.S/Many', message: undefined, messages: [] },
    )
    expect(outcome.refusal).toEqual({ kind: 'grpc:DATA_LOSS', message: 'DATA_LOSS: torn' })
    expect(context.entity).toEqual([{ text: 'a' }, { text: 'b' }])
    expect(context.trailers).toMatchObject({ 'x-at': '2', 'x-raw-bin': 'AQI=', 'grpc-message': 'torn' })
    expect(outcome.firstByteMicros).toBeGreaterThan(0)
  })

  test('without an end are ended by the deadline', async () => {
    await using server = await many(stream => void stream.write(said('a')))
    const step = { method: 'odd.S/Many', message: undefined, messages: [], deadline: '100ms' }
    const { outcome, context } = await call(server.address, {}, step)
    expect(outcome.refusal?.kind).toBe('timeout_total')
    expect([context.status, context.entity]).toEqual([4, [{ text: 'a' }]])
  })
})

const unnamed: number = 77

describe('metadata', () => {
  test('of connection and step, the step first; binary values in base64', async () => {
    const seen: Record<string, unknown> = {}
    await using server = await one((unary, done) => {
      Object.assign(seen, unary.metadata.getMap())
      unary.sendMetadata(metadata({ 'x-raw-bin': Buffer.from([1, 2]) }))
      done(null, said('ok'))
    })
    const connection = { metadata: { Tenant: 'acme', 'x-a': '1' } }
    const step = { metadata: { 'X-A': '{{$._j.a}}', 'x-key-bin': 'AQI=' } }
    const { context } = await call(server.address, connection, step, { variables: { a: '2' } })
    expect(seen).toMatchObject({ tenant: 'acme', 'x-a': '2', 'x-key-bin': Buffer.from([1, 2]) })
    expect(String(seen['user-agent'])).toMatch(/^onrush\//)
    expect(context.headers).toMatchObject({ 'x-raw-bin': 'AQI=' })
  })

  test('a code that nobody has named', async () => {
    await using server = await one((_, done) => done({ code: unnamed, details: 'odd' }))
    const { outcome, context } = await call(server.address)
    expect([outcome.refusal?.kind, context.status]).toEqual(['grpc:77', 77])
  })
})

describe('TLS', () => {
  const key = () => Buffer.from(certificates.read('server.key'))
  const cert = () => Buffer.from(certificates.read('server.pem'))
  const secured = (authority: Buffer | null = null) =>
    one(
      (_, done) => done(null, said('secret')),
      ServerCredentials.createSsl(authority, [{ private_key: key(), cert_chain: cert() }], authority !== null),
    )

  test('with an authority of its own', async () => {
    await using server = await secured()
    const { outcome, context } = await call(server.address, { tls: { ca: 'ca.pem' } })
    expect([outcome.failure, outcome.refusal, context.entity]).toEqual([undefined, undefined, { text: 'secret' }])
    expect(outcome.connectMicros).toBeGreaterThan(0)
  })

  test('a certificate that nobody vouches for, unless that is accepted', async () => {
    await using server = await secured()
    expect((await call(server.address, { tls: true })).outcome.refusal?.kind).toBe('tls')
    expect((await call(server.address, { tls: { insecure: true } })).context.status).toBe(0)
  })

  test("a client's certificate", async () => {
    await using server = await secured(Buffer.from(certificates.read('ca.pem')))
    const own = { ca: 'ca.pem', cert: 'client.pem', key: 'client.key' }
    expect((await call(server.address, { tls: own })).context.entity).toEqual({ text: 'secret' })
    expect((await call(server.address, { tls: { ca: 'ca.pem' } })).outcome.refusal).toBeDefined()
  })

  test('files that are none', async () => {
    const tls = { ca: 'ca.pem', cert: 'client.pem', key: 'odd.proto' }
    await expect(call('127.0.0.1:1', { tls })).rejects.toMatchObject({
      errors: [expect.stringContaining('$.grpc.it.tls: the certificate or key cannot be used')],
    })
  })
})

describe('targets', () => {
  test('are checked by their address before a packet leaves', async () => {
    let calls = 0
    await using server = await one((_, done) => {
      calls++
      done(null, said('ok'))
    })
    const asked: unknown[] = []
    const guard = {
      refusal: (host: string, address: string | undefined) => {
        asked.push([host, address])
        return 'not allowed here'
      },
    }
    const address = server.address.replace('127.0.0.1', 'localhost')
    const { outcome, context } = await call(address, {}, {}, { guard })
    expect(outcome.failure).toEqual({ kind: 'target_refused', message: 'not allowed here' })
    expect([outcome.answer.reach, context.status, calls]).toEqual(['unsent', undefined, 0])
    expect(asked[0]).toEqual(['localhost', expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/)])
  })

  test('keep their name as the authority', async () => {
    let host = ''
    await using server = await one((unary, done) => {
      host = unary.getHost()
      done(null, said('ok'))
    })
    const address = server.address.replace('127.0.0.1', 'localhost')
    const { outcome } = await call(address)
    expect([outcome.refusal, host]).toEqual([undefined, address])
  })
})

test('a server that does not describe itself asks for .proto files', async () => {
  await using server = await one((_, done) => done(null, said('ok')))
  await expect(callOnce({ address: server.address }, { method: 'odd.S/One' })).rejects.toMatchObject({
    errors: [
      expect.stringMatching(/^\$\.grpc\.it\.address: server reflection at .*: it offers none; name its \.proto files/),
    ],
  })
})

const ask = (channel: GrpcChannel) => {
  const request = { path: '/odd.S/One', metadata: metadataOf([]), messages: [said('hi')], deadline: Date.now() + 5000 }
  const signal = new AbortController().signal
  return makeCall(channel, { ...request, until: Number.POSITIVE_INFINITY, keep: 1 }, signal, new CallWatch())
}

test('several addresses of a name are tried until one answers', async () => {
  await using server = await one((_, done) => done(null, said('ok')))
  const port = Number(server.address.split(':')[1])
  const places = [`[::1]:${port}`, `127.0.0.1:${port}`]
  const channel = new GrpcChannel(places, `shop.test:${port}`, channelCredentials(undefined))
  const end = await ask(channel)
  channel.close()
  expect([end.code, end.details, end.received]).toEqual([0, 'OK', 1])
})

test('a call on a closed channel is over at once', async () => {
  const channel = new GrpcChannel(['127.0.0.1:1'], 'shop.test:1', channelCredentials(undefined))
  channel.close()
  expect(await channel.settle(Date.now() + 60_000, new AbortController().signal)).toBe(true)
  expect(await ask(channel)).toMatchObject({ code: 1, details: 'the run has ended', answered: false })
})

test('a server that comes back is found again', async () => {
  const handle: Unary = (_, done) => done(null, said('ok'))
  const first = await bareServer({ '/odd.S/One': { handle } })
  const channel = new GrpcChannel([first.address], first.address, channelCredentials(undefined))
  expect((await ask(channel)).code).toBe(0)
  await first[Symbol.asyncDispose]()
  await expect.poll(async () => (await ask(channel)).code).toBe(14)
  const port = Number(first.address.split(':')[1])
  await using _second = await bareServer({ '/odd.S/One': { handle } }, undefined, port)
  await expect.poll(async () => (await ask(channel)).code).toBe(0)
  channel.close()
})

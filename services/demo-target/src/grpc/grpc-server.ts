import { fileURLToPath } from 'node:url'
import {
  logVerbosity,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type sendUnaryData,
  setLogVerbosity,
} from '@grpc/grpc-js'
import { loadSync, type PackageDefinition } from '@grpc/proto-loader'
import { ReflectionService } from '@grpc/reflection'
import { OnrushError } from '@onrush/protocol/error'
import type { Certificate } from '../certificate.ts'
import { whyNot } from '../listen.ts'
import type { CallEntry } from '../stats/calls.ts'
import type { Stats } from '../stats/stats.ts'
import { CallFailure, codes, fail, type GrpcItem, grpcItemOf, grpcPage, slow, summaryOf } from './catalog-service.ts'

export interface GrpcServer {
  /** `127.0.0.1:7091` */
  readonly address: string
  close(): void
}

export interface GrpcOptions {
  readonly host: string
  readonly port: number
  readonly certificate: Certificate | undefined
  readonly stats: Stats
}

// It writes to the error stream what its errors say as well.
setLogVerbosity(logVerbosity.NONE)

const proto = fileURLToPath(new URL('./shop.proto', import.meta.url))

/** shop.Catalog and shop.Chat, with reflection (v1 and v1alpha). Reflection is not counted. */
export async function startGrpc({ host, port, certificate, stats }: GrpcOptions): Promise<GrpcServer> {
  const definition = loadSync(proto, { keepCase: true, longs: String, defaults: true })
  const server = new Server()
  server.addService(serviceOf(definition, 'shop.Catalog'), catalog(stats))
  server.addService(serviceOf(definition, 'shop.Chat'), chat(stats))
  new ReflectionService(definition).addToServer(server)
  const credentials =
    certificate === undefined
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(null, [
          { private_key: Buffer.from(certificate.key), cert_chain: Buffer.from(certificate.cert) },
        ])
  const name = host.includes(':') ? `[${host}]` : host
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${name}:${port}`, credentials, (cause, bound) => {
      if (cause === null) resolve(bound)
      else reject(new OnrushError('unavailable', whyNot(codeIn(cause), host, port, '--grpc-port'), { cause }))
    })
  })
  return { address: `${name}:${bound}`, close: () => server.forceShutdown() }
}

/** grpc-js puts the system's code into its text only. */
function codeIn({ message }: Error) {
  return { code: /\bE[A-Z]{3,}\b/.exec(message)?.[0], message }
}

function serviceOf(definition: PackageDefinition, name: string): ServiceDefinition {
  const service = definition[name]
  if (service === undefined || 'format' in service) throw new Error(`${proto} has no service ${name}`)
  return service
}

function catalog(stats: Stats) {
  return {
    GetItem: (call: ServerUnaryCall<{ id: number }, GrpcItem>, done: sendUnaryData<GrpcItem>) => {
      const echo = call.metadata.get('x-echo')[0]
      const trailers = new Metadata()
      if (echo !== undefined) {
        const headers = new Metadata()
        headers.set('x-echo', echo)
        call.sendMetadata(headers)
        trailers.set('x-echo-trailer', echo)
      }
      void unary(begin(stats, 'GetItem', call), done, () => grpcItemOf(call.request.id), trailers)
    },
    ListItems: (call: ServerWritableStream<{ page: number; ms: number }, GrpcItem>) => {
      const { page, ms } = call.request
      void streaming(begin(stats, 'ListItems', call), call, grpcPage(page, ms, cancelOf(call)))
    },
    AddItems: (call: ServerReadableStream<GrpcItem, unknown>, done: sendUnaryData<unknown>) =>
      void unary(begin(stats, 'AddItems', call), done, () => summaryOf(call)),
    Fail: (call: ServerUnaryCall<{ code: number; message: string }, unknown>, done: sendUnaryData<unknown>) =>
      void unary(begin(stats, 'Fail', call), done, () => fail(call.request.code, call.request.message)),
    Slow: (call: ServerUnaryCall<{ ms: number }, unknown>, done: sendUnaryData<unknown>) =>
      void unary(begin(stats, 'Slow', call), done, () => slow(call.request.ms, cancelOf(call))),
  }
}

function chat(stats: Stats) {
  return {
    Echo: (call: ServerDuplexStream<unknown, unknown>) => {
      const entry = stats.beginCall('grpc', 'shop.Chat/Echo')
      call.on('cancelled', () => entry.abort())
      call.on('end', () => entry.complete(codes.ok))
      call.pipe(call)
    },
  }
}

type AnyCall = { on(event: 'cancelled', listener: () => void): unknown }

function begin(stats: Stats, method: string, call: AnyCall): CallEntry {
  const entry = stats.beginCall('grpc', `shop.Catalog/${method}`)
  call.on('cancelled', () => entry.abort())
  return entry
}

/** Ends waits that nobody waits for any more. */
function cancelOf(call: AnyCall): AbortSignal {
  const controller = new AbortController()
  call.on('cancelled', () => controller.abort())
  return controller.signal
}

async function unary<T>(
  entry: CallEntry,
  done: sendUnaryData<T>,
  answer: () => T | Promise<T>,
  trailers?: Metadata,
): Promise<void> {
  try {
    const value = await answer()
    entry.complete(codes.ok)
    done(null, value, trailers)
  } catch (error) {
    done(endedBy(entry, error), null)
  }
}

async function streaming(
  entry: CallEntry,
  call: ServerWritableStream<unknown, unknown>,
  messages: AsyncIterable<unknown>,
): Promise<void> {
  try {
    for await (const message of messages) {
      if (!call.write(message)) await Promise.race([drained(call), cancelled(call)])
      if (call.cancelled) return
    }
    entry.complete(codes.ok)
    call.end()
  } catch (error) {
    const status = endedBy(entry, error)
    call.emit('error', Object.assign(new Error(status.details), status))
  }
}

const drained = (call: NodeJS.WritableStream) => new Promise(resolve => call.once('drain', resolve))
const cancelled = (call: AnyCall) => new Promise<void>(resolve => call.on('cancelled', resolve))

function endedBy(entry: CallEntry, error: unknown) {
  const known = error instanceof CallFailure ? error : new CallFailure(13, String(error))
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(known.trailers)) metadata.set(name, value)
  entry.complete(known.code)
  return { code: known.code, details: known.message, metadata }
}

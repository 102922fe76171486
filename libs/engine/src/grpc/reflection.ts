import { readFileSync } from 'node:fs'
import { OnrushError } from '@onrush/protocol/error'
import { parse, Root, Writer } from 'protobufjs'
// Teaches `Root` to read what servers describe themselves with.
import 'protobufjs/ext/descriptor.js'
import { CallWatch } from './call-watch.ts'
import { codeName, codes } from './codes.ts'
import { makeCall } from './grpc-call.ts'
import { type GrpcChannel, metadataOf } from './grpc-channel.ts'
import { Schema } from './schema.ts'

const own = parse(readFileSync(new URL('./reflection.proto', import.meta.url), 'utf8'), new Root(), {
  keepCase: true,
}).root
const requestType = own.lookupType('Request')
const responseType = own.lookupType('Response')
const fileType = own.lookupType('File')

interface Answer {
  readonly file_descriptor_response?: { readonly file_descriptor_proto: readonly Uint8Array[] }
  readonly list_services_response?: { readonly service: readonly { readonly name: string }[] }
  readonly error_response?: { readonly error_code: number; readonly error_message: string }
}

interface File {
  readonly name?: string
  readonly dependency?: readonly string[]
}

type Asked = { file_by_filename: string } | { file_containing_symbol: string } | { list_services: string }

const versions = ['v1', 'v1alpha'] as const
/** A server whose files never end must not keep a run from starting. */
const mostFiles = 10_000

/** Asks the server what it offers. Only services that are used are asked about: others may be broken. */
export async function reflect(
  channel: GrpcChannel,
  services: readonly string[],
  options: { metadata: readonly (readonly [string, string])[]; limitMs: number; address: string },
): Promise<Schema> {
  const talk = new Reflection(channel, options)
  const [listed] = await talk.ask([{ list_services: '*' }])
  const offered = (listed?.list_services_response?.service ?? []).map(service => service.name)
  const files = new Map<string, Uint8Array>()
  const missing = new Set<string>()
  const take = (answers: readonly Answer[]): void => {
    for (const { file_descriptor_response: found } of answers) {
      for (const bytes of found?.file_descriptor_proto ?? []) {
        const { name = '', dependency = [] }: File = fileType.toObject(fileType.decode(bytes))
        files.set(name, bytes)
        for (const needed of dependency) missing.add(needed)
      }
    }
    for (const name of files.keys()) missing.delete(name)
  }
  take(await talk.ask(services.filter(name => offered.includes(name)).map(name => ({ file_containing_symbol: name }))))
  const given = new Set<string>()
  while (missing.size > 0) {
    const names = [...missing].filter(name => !given.has(name))
    if (names.length === 0 || files.size > mostFiles) {
      throw talk.fault(`it does not give the file ${[...missing][0]}, which its own files import`)
    }
    for (const name of names) given.add(name)
    take(await talk.ask(names.map(name => ({ file_by_filename: name }))))
  }
  try {
    return new Schema(Root.fromDescriptor(setOf([...files.values()]), { keepCase: true }), offered)
  } catch (cause) {
    throw talk.fault(`its description cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

/** A `FileDescriptorSet`: each file as field 1, with its length before it. */
function setOf(files: readonly Uint8Array[]): Uint8Array {
  const writer = Writer.create()
  for (const bytes of files) writer.uint32((1 << 3) | 2).bytes(bytes)
  return writer.finish()
}

class Reflection {
  readonly #channel: GrpcChannel
  readonly #options: Parameters<typeof reflect>[2]
  readonly #deadline: number
  readonly #signal = new AbortController().signal
  readonly #watch = new CallWatch()
  #version: (typeof versions)[number] | undefined

  constructor(channel: GrpcChannel, options: Parameters<typeof reflect>[2]) {
    this.#channel = channel
    this.#options = options
    this.#deadline = Date.now() + options.limitMs
  }

  fault(why: string): OnrushError {
    return new OnrushError(
      'invalid',
      `server reflection at ${this.#options.address}: ${why}; name its .proto files in "proto" instead`,
    )
  }

  /** One question after the other on one stream; the answers come in the same order. */
  async ask(questions: readonly Asked[]): Promise<readonly Answer[]> {
    if (questions.length === 0) return []
    const candidates = this.#version === undefined ? versions : [this.#version]
    const messages = questions.map(each => Buffer.from(requestType.encode(each).finish()))
    let why = ''
    for (const version of candidates) {
      const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`
      const metadata = metadataOf(this.#options.metadata)
      const until = Number.POSITIVE_INFINITY
      const request = { path, metadata, messages, deadline: this.#deadline, until, keep: mostFiles }
      const end = await makeCall(this.#channel, request, this.#signal, this.#watch)
      if (end.code === codes.ok) {
        this.#version = version
        return end.messages.map(bytes => this.#read(bytes))
      }
      why =
        end.code === codes.deadlineExceeded
          ? `no answer within ${this.#options.limitMs} ms`
          : `${codeName(end.code)}: ${end.details}`
      if (end.code !== codes.unimplemented) break
      why = 'it offers none'
    }
    throw this.fault(why)
  }

  #read(bytes: Uint8Array): Answer {
    const answer: Answer = responseType.toObject(responseType.decode(bytes))
    const failure = answer.error_response
    if (failure !== undefined) throw this.fault(`${codeName(failure.error_code)}: ${failure.error_message}`)
    return answer
  }
}

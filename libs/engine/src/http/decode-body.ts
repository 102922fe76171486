import { promisify } from 'node:util'
import {
  brotliDecompress,
  brotliDecompressSync,
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
} from 'node:zlib'
import { ExchangeError } from './failure.ts'

/** What we ask for, and can read. */
export const encodings = 'gzip, deflate, br'

interface Codec {
  readonly now: (data: Uint8Array, options: { maxOutputLength: number }) => Buffer
  readonly later: (data: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>
}

const gzip: Codec = { now: gunzipSync, later: promisify(gunzip) }
const brotli: Codec = { now: brotliDecompressSync, later: promisify(brotliDecompress) }
const zlib: Codec = { now: inflateSync, later: promisify(inflate) }
const deflate: Codec = { now: inflateRawSync, later: promisify(inflateRaw) }

/** Below this size handing the work to another thread costs more than the work. */
const atOnce = 65_536

/** A list of encodings is applied in its order; more than two is an attack or a mistake. */
const most = 2

/** Throws `ExchangeError`: `too_large` when what comes out is more than `limit`, `malformed_response` when nothing can. */
export async function decodeBody(body: Uint8Array, contentEncoding: string, limit: number): Promise<Uint8Array> {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '' && name !== 'identity')
  if (names.length > most) throw new ExchangeError('malformed_response', `the body is encoded ${names.length} times`)
  let decoded = body
  for (const name of names.reverse()) decoded = await decode(decoded, name, limit)
  return decoded
}

async function decode(data: Uint8Array, name: string, limit: number): Promise<Uint8Array> {
  if (data.length === 0) return data
  const codec = codecOf(name, data)
  if (codec === undefined) {
    throw new ExchangeError('malformed_response', `the body is encoded as "${name.slice(0, 40)}", not as ${encodings}`)
  }
  const options = { maxOutputLength: limit }
  try {
    return data.length <= atOnce ? codec.now(data, options) : await codec.later(data, options)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      throw new ExchangeError('too_large', `the decoded body is larger than maxBody: expected at most ${limit} bytes`)
    }
    const why = error instanceof Error ? error.message : String(error)
    throw new ExchangeError('malformed_response', `the body is not what its encoding "${name}" says: ${why}`)
  }
}

function codecOf(name: string, data: Uint8Array): Codec | undefined {
  if (name === 'gzip' || name === 'x-gzip') return gzip
  if (name === 'br') return brotli
  // Servers disagree on whether "deflate" has zlib's two bytes in front; a first byte ending in 8 says that it has.
  if (name === 'deflate') return ((data[0] ?? 0) & 0x0f) === 8 ? zlib : deflate
  return undefined
}

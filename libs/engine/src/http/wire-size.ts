import type { Answer, WireRequest } from './transport.ts'

// Over HTTP/2 several exchanges share a socket, so that its counters belong to none of them. What is counted then are
// the fields' own bytes, before their compression, and a frame's head of 9 bytes each for head and body.

const frameHead = 9

export function estimatedBytesIn(status: number, headers: Answer['headers'], bodyLength: number): number {
  if (status === 0) return 0
  let bytes = 2 * frameHead + ':status200'.length + bodyLength
  for (const [name, value] of Object.entries(headers)) {
    const values: readonly (string | Uint8Array | undefined)[] = Array.isArray(value) ? value : [value]
    for (const each of values) bytes += name.length + (each?.length ?? 0)
  }
  return bytes
}

export function estimatedBytesOut({ headers, body, method, origin, path }: WireRequest): number {
  let bytes = 2 * frameHead + ':method:scheme:authority:path'.length + method.length + origin.length + path.length
  for (const text of headers) bytes += text.length
  if (body === undefined) return bytes
  return bytes + (typeof body === 'string' ? Buffer.byteLength(body) : body.length)
}

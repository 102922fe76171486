import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { ContentRef } from '@onrush/protocol/content'
import { OnrushError } from '@onrush/protocol/error'
import { unlessMissing } from '@onrush/protocol/missing-file'

/** A source that sends nothing for so long is given up; what has come is kept, and the next try goes on from there. */
const stallMs = 15_000

/** What one try came to. `absent`: there is nothing to be had from this source. */
export type Tried = 'complete' | 'absent' | { readonly problem: string }

const headersOf = (secret: string, from: number): Record<string, string> => ({
  authorization: `Bearer ${secret}`,
  ...(from > 0 ? { range: `bytes=${from}-` } : {}),
})

/** Brings a content, or what is missing of it, from a node into `part`, straight to the disk. */
export async function download(
  { hash, size }: ContentRef,
  source: string,
  part: string,
  secret: string,
  signal: AbortSignal,
): Promise<Tried> {
  let from = await sizeOf(part)
  if (from > size) {
    await rm(part, { force: true })
    from = 0
  }
  if (from === size && size > 0) return 'complete'
  const stalled = new AbortController()
  let timer = setTimeout(() => stalled.abort(), stallMs)
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stalled.abort(), stallMs)
  }
  try {
    const response = await fetch(`${source}/api/content/${hash}`, {
      headers: headersOf(secret, from),
      redirect: 'error',
      signal: AbortSignal.any([signal, stalled.signal]),
    })
    if (response.status === 404) {
      await response.body?.cancel()
      return 'absent'
    }
    if (response.status !== 200 && response.status !== 206) {
      await response.body?.cancel()
      return { problem: `${source} answers ${response.status}` }
    }
    const goesOn = response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${from}-`)
    if (response.status === 206 && !goesOn) {
      await response.body?.cancel()
      return { problem: `${source} answers another range than was asked for` }
    }
    if (response.body === null) return { problem: `${source} answers without a body` }
    const body = Readable.fromWeb(response.body as ReadableStream)
    let room = goesOn ? size - from : size
    const bounded = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        alive()
        room -= chunk.byteLength
        if (room < 0) throw new OnrushError('too_large', `${source} sends more than the ${size} bytes of ${hash}`)
        yield chunk
      }
    }
    await pipeline(body, bounded, createWriteStream(part, { flags: goesOn ? 'a' : 'w', mode: 0o600 }))
    return room === 0 ? 'complete' : { problem: `${source} ended ${room} bytes early` }
  } catch (error) {
    if (signal.aborted) throw error
    if (isDiskFull(error)) throw new OnrushError('unavailable', 'the disk of this worker is full', { cause: error })
    if (stalled.signal.aborted) return { problem: `${source} sent nothing for ${stallMs / 1000} s` }
    return { problem: `${source}: ${causeOf(error)}` }
  } finally {
    clearTimeout(timer)
  }
}

const isDiskFull = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}

/** Nothing, where nothing has come yet. */
const sizeOf = async (file: string): Promise<number> => (await unlessMissing(stat(file), { size: 0 })).size

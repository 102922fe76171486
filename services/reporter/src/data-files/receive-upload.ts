import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { DataFile } from '@onrush/protocol/data-file'
import { OnrushError } from '@onrush/protocol/error'
import type { DataFolder } from './data-folder.ts'

export interface Uploaded {
  readonly file: DataFile & { readonly hash: string }
  readonly created: boolean
}

/** Brings an upload to the disk as it comes, up to a size; nobody sees it before it is whole. */
export async function receiveUpload(
  folder: DataFolder,
  names: readonly string[],
  body: ReadableStream<Uint8Array> | null,
  declared: number | undefined,
  mostBytes: number,
): Promise<Uploaded> {
  const tooLarge = () =>
    new OnrushError('too_large', `expected a file of at most ${mostBytes} bytes (ONRUSH_MOST_UPLOAD_MB)`)
  if (declared !== undefined && declared > mostBytes) throw tooLarge()
  const { path, handle } = await folder.begin()
  const hash = createHash('sha256')
  let size = 0
  try {
    try {
      for await (const chunk of body ?? []) {
        size += chunk.byteLength
        if (size > mostBytes) throw tooLarge()
        hash.update(chunk)
        await handle.writeFile(chunk)
      }
      if (declared !== undefined && size !== declared) {
        throw new OnrushError('malformed', `expected ${declared} bytes, got ${size}: the upload was cut off`)
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    const created = await folder.finish(path, names)
    const modifiedAt = new Date().toISOString()
    return { file: { path: names.join('/'), size, modifiedAt, hash: hash.digest('hex') }, created }
  } finally {
    await rm(path, { force: true })
  }
}

import type { FileHandle } from 'node:fs/promises'
import type { DataPreview } from '@onrush/protocol/data-file'
import { previewRows } from 'onrush/feed-preview'

/** The rows that are wanted stand within this much of a file, or the preview ends before them. */
const headBytes = 1_048_576

/** The first rows of a file, without reading more than its head. */
export async function previewOf(name: string, handle: FileHandle, size: number, rows: number): Promise<DataPreview> {
  const length = Math.min(size, headBytes)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0)
  return previewRows(name, buffer.toString('utf8', 0, bytesRead), bytesRead >= size, rows)
}

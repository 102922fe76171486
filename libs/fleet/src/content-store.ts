import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ContentHash, type ContentRef, smallContent } from '@onrush/protocol/content'
import { OnrushError } from '@onrush/protocol/error'
import { unlessMissing } from '@onrush/protocol/missing-file'
import { hashOf } from './blobs.ts'

export interface StoreNeeds {
  readonly folder: string
  readonly mostBytes: number
  /** Contents that must stay although nothing links to them. */
  readonly inUse?: () => Promise<ReadonlySet<string>>
  /** What was used within so many milliseconds stays too. */
  readonly graceMs?: number
}

const partKeepMs = 86_400_000
const errorCode = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

/**
 * Contents under their own hash on this host's disk, up to a size: beyond it the least recently used go. A content in use
 * is a hard link elsewhere on the same disk, which every process that shares the folder can see and which costs nothing.
 * Bundles may hold secrets, so nobody else may read here. A file's access time says when it was used last; its
 * modification time never changes, because indices of rows are made for it.
 */
export class ContentStore {
  readonly #needs: StoreNeeds
  /** Files that were kept, as they were: looking is cheaper than reading them again. */
  readonly #kept = new Map<string, { stamp: string; ref: ContentRef }>()

  constructor(needs: StoreNeeds) {
    this.#needs = needs
  }

  pathOf(hash: string): string {
    const checked = ContentHash.safeParse(hash)
    if (!checked.success) {
      throw new OnrushError('invalid', `expected a sha256 in hex, got "${hash.slice(0, 80)}"`)
    }
    return join(this.#needs.folder, checked.data)
  }

  /** Its size, where it is here. */
  async sizeOf(hash: string): Promise<number | undefined> {
    return (await unlessMissing(stat(this.pathOf(hash)), undefined))?.size
  }

  /** Whether it is here and whole. Large ones were checked when they came; to read them each time would cost a second. */
  async has({ hash, size }: ContentRef): Promise<boolean> {
    if ((await this.sizeOf(hash)) !== size) return false
    if (size > smallContent || hashOf(await readFile(this.pathOf(hash))) === hash) return true
    await rm(this.pathOf(hash), { force: true })
    return false
  }

  async keep(content: Uint8Array): Promise<ContentRef> {
    const ref = { hash: hashOf(content), size: content.byteLength }
    if (await this.has(ref)) await this.#touch(ref.hash)
    else {
      await this.makeRoom(ref.size)
      const part = await this.partOf(crypto.randomUUID())
      await writeFile(part, content, { mode: 0o600, flush: true })
      await this.#adopt(part, ref.hash)
    }
    return ref
  }

  /** A copy of a file as it is now: what happens to the file later changes nothing for those who use the copy. */
  async keepFile(path: string): Promise<ContentRef> {
    const before = await stampOf(path)
    const known = this.#kept.get(path)
    if (known?.stamp === before.stamp && (await this.has(known.ref))) {
      await this.#touch(known.ref.hash)
      return known.ref
    }
    await this.makeRoom(before.size)
    const part = await this.partOf(crypto.randomUUID())
    const hash = createHash('sha256')
    let size = 0
    const counted = new Transform({
      transform(chunk: Buffer, _, done) {
        hash.update(chunk)
        size += chunk.byteLength
        done(null, chunk)
      },
    })
    try {
      const target = createWriteStream(part, { mode: 0o600, flush: true })
      await pipeline(createReadStream(path, { highWaterMark: 1_048_576 }), counted, target)
      if ((await stampOf(path)).stamp !== before.stamp) {
        throw new OnrushError('conflict', `${path} was written while it was read: start again when it is whole`)
      }
      const ref = { hash: hash.digest('hex'), size }
      await this.#adopt(part, ref.hash)
      this.#kept.set(path, { stamp: before.stamp, ref })
      return ref
    } finally {
      await rm(part, { force: true })
    }
  }

  /** Where a content that is on its way is gathered. */
  async partOf(name: string): Promise<string> {
    await mkdir(this.#needs.folder, { recursive: true, mode: 0o700 })
    return join(this.#needs.folder, `part-${name}`)
  }

  /** Takes what has come, if it is what was promised. */
  async receive(part: string, { hash, size }: ContentRef): Promise<boolean> {
    const found = createHash('sha256')
    const written = (await stat(part)).size
    if (written === size) await pipeline(createReadStream(part, { highWaterMark: 1_048_576 }), found)
    if (written !== size || found.digest('hex') !== hash) {
      await rm(part, { force: true })
      return false
    }
    const file = await open(part, 'r+')
    await file.sync()
    await file.close()
    await this.#adopt(part, hash)
    return true
  }

  /** Puts a content where it is needed, under the name that it needs there. */
  async place(hash: string, at: string): Promise<void> {
    const file = this.pathOf(hash)
    try {
      await link(file, at)
    } catch (error) {
      if (!['EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK', 'EOPNOTSUPP'].includes(String(errorCode(error)))) throw error
      await copyFile(file, at)
    }
    await this.#touch(hash)
  }

  /** Removes the least recently used until so much fits. What is in use stays, even where the bound is broken by it. */
  async makeRoom(bytes: number): Promise<void> {
    const { folder, mostBytes, inUse, graceMs = 0 } = this.#needs
    const now = Date.now()
    const names = await unlessMissing(readdir(folder), [])
    const contents: { hash: string; size: number; used: number; linked: boolean }[] = []
    for (const name of names) {
      const stats = await unlessMissing(stat(join(folder, name)), undefined)
      if (stats === undefined) continue
      if (ContentHash.safeParse(name).success) {
        contents.push({ hash: name, size: stats.size, used: stats.atimeMs, linked: stats.nlink > 1 })
      } else if (name.startsWith('part-') && now - stats.mtimeMs > partKeepMs) {
        await rm(join(folder, name), { force: true })
      }
    }
    let total = contents.reduce((sum, { size }) => sum + size, bytes)
    if (total <= mostBytes) return
    const promised = (await inUse?.()) ?? new Set()
    for (const { hash, size, used, linked } of contents.sort((a, b) => a.used - b.used)) {
      if (total <= mostBytes) return
      if (linked || promised.has(hash) || now - used < graceMs) continue
      await rm(join(folder, hash), { force: true })
      total -= size
    }
  }

  async #adopt(part: string, hash: string): Promise<void> {
    const file = this.pathOf(hash)
    // Whole seconds are kept exactly by every file system and by utimes.
    const second = new Date(Math.floor(Date.now() / 1000) * 1000)
    await utimes(part, second, second)
    await rename(part, file)
  }

  async #touch(hash: string): Promise<void> {
    const file = this.pathOf(hash)
    const { mtime } = await stat(file)
    await utimes(file, new Date(), mtime)
  }
}

async function stampOf(path: string): Promise<{ stamp: string; size: number }> {
  try {
    const { size, mtimeMs, ctimeMs, ino } = await stat(path)
    return { stamp: `${size} ${mtimeMs} ${ctimeMs} ${ino}`, size }
  } catch (cause) {
    throw new OnrushError('not_found', `the file ${path} cannot be read: ${String(cause)}`, { cause })
  }
}

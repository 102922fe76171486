import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** A file that a compile read, as it was then. */
export interface Input {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  readonly hash: string
}

interface Stamp {
  readonly size: number
  readonly mtimeMs: number
}

/** Looks at each file once, however many scripts were made of it: for the length of one compile nothing changes. */
export class InputReader {
  readonly #stamps = new Map<string, Promise<Stamp | undefined>>()
  readonly #hashes = new Map<string, Promise<string>>()

  stamp(path: string): Promise<Stamp | undefined> {
    return remembered(this.#stamps, path, async () => {
      try {
        const { size, mtimeMs } = await stat(path)
        return { size, mtimeMs }
      } catch {
        // Gone, or no more ours to read: either way it is not what it was.
        return undefined
      }
    })
  }

  hash(path: string): Promise<string> {
    return remembered(this.#hashes, path, async () => {
      const hash = createHash('sha256')
      await pipeline(createReadStream(path), hash)
      return hash.digest('hex')
    })
  }

  /**
   * The file as it is now. One that was written since `from`, when the compile began, may be younger than what was
   * compiled: it has no hash, so that it differs from whatever is there next time.
   */
  async input(path: string, from: number): Promise<Input> {
    const stamp = await this.stamp(path)
    if (stamp === undefined || stamp.mtimeMs >= from) return { path, size: -1, mtimeMs: -1, hash: '' }
    return { path, ...stamp, hash: await this.hash(path) }
  }

  /** A file that was only touched, as by a checkout, is the same. */
  async isSame(input: Input): Promise<boolean> {
    const stamp = await this.stamp(input.path)
    if (stamp === undefined || stamp.size !== input.size) return false
    return stamp.mtimeMs === input.mtimeMs || (await this.hash(input.path)) === input.hash
  }

  async areSame(inputs: readonly Input[]): Promise<boolean> {
    for (const input of inputs) if (!(await this.isSame(input))) return false
    return true
  }
}

function remembered<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  let made = map.get(key)
  if (made === undefined) {
    made = make()
    map.set(key, made)
  }
  return made
}

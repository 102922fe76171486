import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import type { MessagePort } from 'node:worker_threads'
import type { FeedIndex } from './feed-index.ts'
import { type FeedFile, indexFile, type LineFault } from './index-file.ts'
import type { IndexFile } from './scenario-rows.ts'

type Found = FeedIndex | readonly LineFault[]
type Reply = { readonly found: Found } | { readonly error: string }

/** A worker repeats its simulations: their files are not read again as long as they are the same. */
const kept = 32

/** Indexes each file once for all threads of a process, which then share it. Lives in the main thread. */
export class FeedIndexes {
  readonly #known = new Map<string, Promise<Found>>()

  async index(file: FeedFile): Promise<Found> {
    const { size, mtimeMs } = await stat(file.path)
    const key = JSON.stringify([file, size, mtimeMs])
    const known = this.#known.get(key)
    if (known !== undefined) return await known
    if (this.#known.size >= kept) this.#known.clear()
    const asked = indexFile(file)
    this.#known.set(key, asked)
    try {
      return await asked
    } catch (error) {
      this.#known.delete(key)
      throw error
    }
  }

  /** Answers a thread that asks through `askForIndex`. */
  serve(port: MessagePort): void {
    port.on('message', (file: FeedFile) => {
      const reply = (said: Reply): void => port.postMessage(said)
      this.index(file).then(
        found => reply({ found }),
        (error: unknown) => reply({ error: error instanceof Error ? error.message : String(error) }),
      )
    })
  }
}

/** The thread's side. One question at a time. */
export function askForIndex(port: MessagePort): IndexFile {
  return async file => {
    port.postMessage(file)
    const [reply]: Reply[] = await once(port, 'message')
    if (reply === undefined || 'error' in reply) throw new Error(reply?.error ?? 'no answer')
    return reply.found
  }
}

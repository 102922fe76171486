import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type ContentRef, smallContent } from '@onrush/protocol/content'
import type { Simulation } from '@onrush/protocol/simulation'
import { putBlob } from './blobs.ts'
import type { ContentStore } from './content-store.ts'
import type { Redis } from './redis.ts'
import type { Bundled } from './run-plan.ts'

/** A simulation as it was loaded on this host. */
export interface LoadedHere {
  readonly name: string
  readonly simulation: Simulation
  readonly bundle: { readonly code: string; readonly sourceMap: string }
  /** A name in the script to the file on this host. */
  readonly files: Readonly<Record<string, string>>
  readonly file?: string | undefined
  readonly source?: string | undefined
  readonly warnings?: readonly string[] | undefined
}

export interface PublisherNeeds {
  readonly store: ContentStore
  /** Where small ones are put for others; without it they stay on this host. */
  readonly redis: Redis | undefined
  /** Where this node serves what it holds. */
  readonly address: string
}

/** Makes of a simulation on this host one that workers elsewhere can run: as it is at this moment, whatever happens to its files. */
export class ContentPublisher {
  readonly #needs: PublisherNeeds

  constructor(needs: PublisherNeeds) {
    this.#needs = needs
  }

  async publish(loaded: LoadedHere): Promise<Bundled> {
    const { store, address } = this.#needs
    const { name, simulation, bundle, file, source, warnings } = loaded
    const put = async (text: string) => await this.#share(await store.keep(Buffer.from(text)))
    const files: Record<string, ContentRef> = {}
    for (const [written, path] of Object.entries(loaded.files)) {
      files[written] = await this.#share(await store.keepFile(path))
    }
    return {
      simulation,
      contents: {
        bundle: await put(bundle.code),
        sourceMap: await put(bundle.sourceMap),
        script: file === undefined ? `${name}.json` : basename(file),
        files,
        sources: [address],
      },
      file,
      source,
      ...(warnings === undefined ? {} : { warnings }),
    }
  }

  async #share(ref: ContentRef): Promise<ContentRef> {
    const { store, redis } = this.#needs
    if (redis !== undefined && ref.size <= smallContent) await putBlob(redis, await readFile(store.pathOf(ref.hash)))
    return ref
  }
}

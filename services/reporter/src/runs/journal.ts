import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RunBase } from '@onrush/fleet/run-store'
import { unlessMissing } from '@onrush/protocol/missing-file'

const ending = '.run.json'

/** The runs that were started here and have not been seen to end, on our own disk: what is left when Redis forgets. */
export class Journal {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async write(base: RunBase): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const beside = `${this.#path(base.runId)}.${crypto.randomUUID()}`
    await writeFile(beside, JSON.stringify(base))
    await rename(beside, this.#path(base.runId))
  }

  async list(): Promise<RunBase[]> {
    const found: RunBase[] = []
    for (const name of await this.#names()) {
      const checked = RunBase.safeParse(JSON.parse(await readFile(join(this.#folder, name), 'utf8')))
      if (checked.success) found.push(checked.data)
    }
    return found
  }

  async remove(runId: string): Promise<void> {
    await rm(this.#path(runId), { force: true })
  }

  async #names(): Promise<string[]> {
    return (await unlessMissing(readdir(this.#folder), [])).filter(name => name.endsWith(ending))
  }

  #path(runId: string): string {
    return join(this.#folder, `${runId}${ending}`)
  }
}

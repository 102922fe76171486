import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { DataFile } from '@onrush/protocol/data-file'
import { OnrushError } from '@onrush/protocol/error'
import { isMissing, unlessMissing } from '@onrush/protocol/missing-file'
import { folded, isProgram, nameFault } from './safe-path.ts'

const mostListed = 10_000
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

export interface OpenedFile {
  readonly handle: FileHandle
  readonly size: number
  readonly modifiedAt: Date
}

/** What lies among the data and is none: it comes by the repository, where somebody reviews it. */
export interface Simulations {
  /** Their paths in the folder. */
  files(): Promise<ReadonlySet<string>>
  /** Whether what was gathered would be one, were it put there. */
  wouldBe(file: string, gathered: string): Promise<boolean>
}

/**
 * The data files under one folder. Paths come checked by `safePath`; here each folder on the way is looked at when it is
 * used: a link is never followed, and what was opened must be what lies at the path.
 */
export class DataFolder {
  readonly #root: string
  readonly #apart: string
  readonly #simulations: Simulations

  /** `apart`: the service's own files, secrets among them, which are none of these wherever they lie. */
  constructor(root: string, apart: string, simulations: Simulations) {
    this.#root = root
    this.#apart = apart
    this.#simulations = simulations
  }

  async list(): Promise<DataFile[]> {
    const found: DataFile[] = []
    const isApart = await this.#whatIsApart()
    const simulations = await this.#simulations.files()
    const walk = async (folder: string): Promise<void> => {
      if (isApart(folder)) return
      // What cannot be looked into could not be opened either, and is not listed.
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        if (found.length >= mostListed || nameFault(entry.name) !== undefined) continue
        const path = join(folder, entry.name)
        if (entry.isDirectory()) await walk(path)
        else if (entry.isFile() && !isProgram(entry.name)) {
          const shown = relative(this.#root, path).split(sep).join('/')
          if (simulations.has(shown)) continue
          const stats = await unlessMissing(lstat(path), undefined)
          if (stats === undefined) continue
          found.push({ path: shown, size: stats.size, modifiedAt: stats.mtime.toISOString() })
        }
      }
    }
    await walk(this.#root)
    return found
  }

  async open(names: readonly string[]): Promise<OpenedFile> {
    const path = await this.#locate(names)
    let handle: FileHandle
    try {
      // Never waits at a pipe that somebody put there.
      handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    } catch (error) {
      if (isMissing(error)) throw missing(names)
      throw refused(names, 'it is no file that can be read here')
    }
    try {
      const stats = await handle.stat()
      const real = await lstat(await this.#inside(path))
      if (!stats.isFile() || real.ino !== stats.ino || real.dev !== stats.dev) {
        throw refused(names, 'it is no file of this folder')
      }
      return { handle, size: stats.size, modifiedAt: stats.mtime }
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** Where an upload is gathered; the registry passes over what begins with a dot. */
  async begin(): Promise<{ path: string; handle: FileHandle }> {
    await mkdir(this.#root, { recursive: true })
    const path = join(this.#root, `.upload-${crypto.randomUUID()}`)
    return { path, handle: await open(path, 'wx', 0o640) }
  }

  /** Puts what was gathered in its place, at once and whole. True where there was nothing before. */
  async finish(gathered: string, names: readonly string[]): Promise<boolean> {
    await this.#refuseSimulation(names)
    if (await this.#simulations.wouldBe(names.join('/'), gathered)) throw refused(names, isSimulation)
    await this.#makeFolders(names.slice(0, -1))
    const path = await this.#locate(names)
    const before = await unlessMissing(lstat(path), undefined)
    if (before !== undefined && !before.isFile()) throw refused(names, 'something else than a file lies there')
    await this.#inside(join(path, '..'))
    await rename(gathered, path)
    return before === undefined
  }

  async remove(names: readonly string[]): Promise<void> {
    const path = await this.#locate(names)
    const stats = await unlessMissing(lstat(path), undefined)
    if (stats === undefined) throw missing(names)
    if (!stats.isFile()) throw refused(names, 'it is no file')
    await this.#refuseSimulation(names)
    await this.#inside(path)
    await rm(path, { force: true })
  }

  /** Walks down name by name: each a real folder, and each written as it is on the disk. */
  async #locate(names: readonly string[]): Promise<string> {
    const isApart = await this.#whatIsApart()
    let folder = this.#root
    for (const [i, name] of names.entries()) {
      const there = await unlessMissing(readdir(folder), [])
      const twin = there.find(other => other !== name && folded(other) === folded(name))
      if (twin !== undefined) {
        throw new OnrushError(
          'conflict',
          `${names.join('/')}: there is "${twin}" already, which some systems take for the same name as "${name}"`,
        )
      }
      const path = join(folder, name)
      if (isApart(folder) || isApart(path)) throw refused(names, 'the service keeps its own files there')
      if (i === names.length - 1) return path
      const stats = await unlessMissing(lstat(path), undefined)
      if (stats === undefined) throw missing(names)
      if (!stats.isDirectory()) throw refused(names, `"${name}" is no folder`)
      folder = path
    }
    return folder
  }

  async #refuseSimulation(names: readonly string[]): Promise<void> {
    if ((await this.#simulations.files()).has(names.join('/'))) throw refused(names, isSimulation)
  }

  /** Of a path that no link was followed to. */
  async #whatIsApart(): Promise<(path: string) => boolean> {
    const real = (path: string) => unlessMissing(realpath(path), path)
    const [root, apart] = await Promise.all([real(this.#root), real(this.#apart)])
    return path => join(root, relative(this.#root, path)) === apart
  }

  async #makeFolders(names: readonly string[]): Promise<void> {
    for (let depth = 1; depth <= names.length; depth++) {
      try {
        await mkdir(await this.#locate(names.slice(0, depth)))
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error
      }
    }
  }

  /** The real place of a path, which must lie in the real folder. */
  async #inside(path: string): Promise<string> {
    const [root, real] = await Promise.all([realpath(this.#root), realpath(path)]).catch((error: unknown) => {
      // Another request may have removed it since it was looked at.
      if (isMissing(error)) throw missing([relative(this.#root, path)])
      throw error
    })
    if (real !== root && !real.startsWith(root + sep)) {
      throw new OnrushError('forbidden', 'this path leads out of the folder of simulations')
    }
    return real
  }
}

const isSimulation = 'it is a simulation, and these come with the repository'

const missing = (names: readonly string[]) => new OnrushError('not_found', `there is no data file ${names.join('/')}`)

function refused(names: readonly string[], why: string): OnrushError {
  return new OnrushError('forbidden', `${names.join('/')} is refused: ${why}`)
}

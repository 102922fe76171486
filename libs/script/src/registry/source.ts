import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { check } from '@onrush/protocol/check'
import { limits } from '@onrush/protocol/limits'
import { unlessMissing } from '@onrush/protocol/missing-file'
import { maskedSource, maskedYaml, secretTexts } from '@onrush/protocol/secrets'
import { Simulation } from '@onrush/protocol/simulation'
import type { SimulationSource, SourceFile, SourceText } from '@onrush/protocol/simulation-source'
import { isAuthored } from '../bundle.ts'
import { decode } from '../first-load/encode.ts'
import { unplacedModule } from '../module-places.ts'
import type { FoundScript } from './find-scripts.ts'
import type { GoodVersion, ScriptRecord } from './version-store.ts'

const room = limits.shownSource.value
const mostModules = limits.shownModules.value

/** Modules only: what a script imports as data may hold users and passwords, which are for operators. */
const isModule = /\.[cm]?[jt]sx?$/i

/**
 * What a script and the modules that its author wrote for it hold. Whatever the script names, nothing is read that lies
 * outside the folder, in a package, or hidden.
 */
export async function sourceOf(
  script: FoundScript,
  folder: string,
  record: ScriptRecord | undefined,
  version: GoodVersion | undefined,
): Promise<SimulationSource> {
  const root = await unlessMissing(realpath(folder), folder)
  // The bundler names files by their real place, and the folder may be reached by a link.
  const placed = (path: string) => (path.startsWith(join(root, sep)) ? join(folder, relative(root, path)) : path)
  const kept = version === undefined ? new Map<string, string>() : modulesOf(script, version, placed)
  const named = new Set([...(record?.inputs ?? []).map(input => placed(input.path)), ...kept.keys()])
  const modules = [...named].filter(path => path !== script.path && isOurs(path, folder)).sort()
  const veil = veilOf(script, version)
  let left = room
  const shown = (text: string): SourceText => {
    // At the end of a line, so that no half of a secret is taken for something else.
    const part = text.length <= left ? text : text.slice(0, text.lastIndexOf('\n', left - 1) + 1)
    left -= part.length
    return { text: veil(part), cut: part.length < text.length }
  }
  const files: SourceFile[] = []
  const wanted = [script.path, ...modules.slice(0, mostModules)]
  for (const path of wanted) {
    const [now, good] = [await textAt(path, root), kept.get(path)]
    if (now === undefined && good === undefined && path !== script.path) continue
    files.push({
      file: relative(folder, path).split(sep).join('/'),
      ...(now === undefined ? {} : { now: shown(now) }),
      ...(good === undefined || good === now ? {} : { good: shown(good) }),
    })
  }
  return { name: script.name, files, left: 1 + modules.length - wanted.length }
}

/** By their paths. The map of a bundle holds the sources it was made of. */
function modulesOf(
  script: FoundScript,
  { source, sourceMap }: GoodVersion,
  placed: (path: string) => string,
): Map<string, string> {
  const folder = dirname(script.path)
  const { sources, sourcesContent = [] }: { sources: string[]; sourcesContent?: (string | null)[] } =
    JSON.parse(sourceMap)
  const found = sources.flatMap((name, i): [string, string][] => {
    const text = sourcesContent[i]
    if (typeof text !== 'string' || !isAuthored(name, folder)) return []
    return [[placed(resolve(folder, name)), unplacedModule(text)]]
  })
  return new Map([...found, [script.path, source]])
}

function isOurs(path: string, folder: string): boolean {
  const names = relative(folder, path).split(sep)
  return isModule.test(path) && !names.some(name => name === 'node_modules' || name.startsWith('.'))
}

/** The file's text as far as it could be shown; nothing where it is gone, or where a link leads out of the folder. */
async function textAt(path: string, root: string): Promise<string | undefined> {
  try {
    const real = await realpath(path)
    if (!real.startsWith(join(root, sep))) return undefined
    // Never waits at a pipe, and never follows a link that took the file's place meanwhile.
    const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) return undefined
      // In UTF-8 a character takes three bytes at most, and one more than fits tells that it was cut.
      const wanted = Math.min(stats.size, 3 * (room + 1))
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(wanted), 0, wanted, 0)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch {
    // Gone, or not ours to read: then the last good version is all there is to show.
    return undefined
  }
}

/** Takes out what the script marks as secret, and literals that look so. */
function veilOf({ file }: FoundScript, version: GoodVersion | undefined): (text: string) => string {
  const checked = version === undefined ? undefined : check(Simulation, decode(version.spec))
  const environments = checked?.ok ? Object.values(checked.value.environments ?? {}) : []
  const secrets = secretTexts(...environments)
  const mask = /\.ya?ml$/i.test(file) ? maskedYaml : maskedSource
  return text => mask(text, secrets)
}

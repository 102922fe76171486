import { createHash } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Bundle } from './bundle.ts'
import { scriptPlaceholder } from './module-places.ts'

/** Renamed into place, so that nobody ever reads half a file. */
async function put(file: string, text: string): Promise<void> {
  const beside = `${file}.${crypto.randomUUID()}`
  // A script may hold secrets, and so does its bundle.
  await writeFile(beside, text, { mode: 0o600 })
  await rename(beside, file)
}

/**
 * Writes a bundle for a script that lies at a place, under a name that says both. The map beside it names the sources
 * by their full place, so that errors in threads name lines that an editor can open.
 */
export async function writeBundle(bundle: Bundle, cacheDir: string, script: string): Promise<string> {
  await mkdir(cacheDir, { recursive: true, mode: 0o700 })
  const url = pathToFileURL(script).href
  const name = `${bundle.hash}-${createHash('sha256').update(url).digest('hex').slice(0, 16)}.mjs`
  const file = join(cacheDir, name)
  const map: object = JSON.parse(bundle.sourceMap)
  await put(`${file}.map`, JSON.stringify({ ...map, sourceRoot: `${pathToFileURL(dirname(script)).href}/` }))
  const code = bundle.code.replace(scriptPlaceholder, () => JSON.stringify(url))
  await put(file, `${code}\n//# sourceMappingURL=${name}.map\n`)
  return file
}

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Every file under a folder whose path in it is as wished. */
export async function everyFile(folder: string, wished: (path: string) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => wished(path.slice(folder.length)))
}

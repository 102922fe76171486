import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

const specifier = /\b(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g
const endings = ['', '.ts', '.mts', '.tsx', '.js', '.mjs', '.json', '/index.ts', '/index.js']

/** What `./a`, `./a.js` or `./a.ts` may lie under, as the type checker looks for it. */
function candidates(path: string): string[] {
  const typed = path.replace(/\.([cm]?)jsx?$/, '.$1ts')
  return typed === path ? endings.map(ending => path + ending) : [path, typed]
}

/**
 * The author's own files behind a script, its types' too, which a bundle leaves out. Read off the text: good enough to say
 * whose a type error is, and it costs no second compiler.
 */
export async function localImports(
  script: string,
  read: (file: string) => Promise<string | undefined> = textOf,
): Promise<string[]> {
  const seen = new Set([script])
  const waiting = [script]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const text = /\.[cm]?[jt]sx?$/.test(file) ? await read(file) : undefined
    for (const [, , named = ''] of (text ?? '').matchAll(specifier)) {
      for (const candidate of candidates(resolve(dirname(file), named))) {
        if (seen.has(candidate)) break
        if ((await read(candidate)) === undefined) continue
        seen.add(candidate)
        waiting.push(candidate)
        break
      }
    }
  }
  return [...seen]
}

/** Nothing where there is no such file, or a folder. */
async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    return undefined
  }
}

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Bench {
  readonly name: string
  readonly file: string
  readonly summary: string
}

const ending = '.bench.ts'

/** The benchmarks of a directory; each says in its first comment line what it measures. */
export function findBenches(directory: string): Bench[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter(file => file.endsWith(ending))
    .sort()
    .map(file => {
      const path = join(directory, file)
      return { name: file.slice(0, -ending.length), file: path, summary: firstComment(readFileSync(path, 'utf8')) }
    })
}

function firstComment(source: string): string {
  return /^\s*(?:\/\/|\/?\*+)\s*([^\s*].*?)\s*(?:\*\/)?\s*$/m.exec(source)?.[1] ?? ''
}

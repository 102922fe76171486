import { open } from 'node:fs/promises'
import { resolve } from 'node:path'

/** Adds a line to a file that its owner alone may read; one that is missing is made. */
export async function appendLine(cwd: string, name: string, line: string): Promise<void> {
  const file = await open(resolve(cwd, name), 'a+', 0o600)
  try {
    const content = await file.readFile('utf8')
    await file.write(`${content === '' || content.endsWith('\n') ? '' : '\n'}${line}\n`)
  } finally {
    await file.close()
  }
}

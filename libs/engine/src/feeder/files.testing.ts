import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for a test, gone with it. */
export function testFolder(): Disposable & { write(name: string, content: string | Uint8Array): string } {
  const folder = mkdtempSync(join(tmpdir(), 'onrush-feed-'))
  return {
    write(name, content) {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

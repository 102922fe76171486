import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findBinary } from './find-binary.ts'
import { makeScratch } from './scratch.ts'

const scratch = makeScratch('find')
afterAll(() => scratch.remove())

function directory(name: string, files: Record<string, number>): string {
  const path = join(scratch.path, name)
  mkdirSync(path)
  for (const [file, mode] of Object.entries(files)) {
    writeFileSync(join(path, file), '')
    chmodSync(join(path, file), mode)
  }
  return path
}

it('takes the preferred name from any directory before another name', () => {
  const first = directory('first', { 'valkey-server': 0o755 })
  const second = directory('second', { 'redis-server': 0o755 })
  expect(findBinary(['redis-server', 'valkey-server'], [first, second])).toBe(join(second, 'redis-server'))
  expect(findBinary(['valkey-server'], [first, second])).toBe(join(first, 'valkey-server'))
})

it('passes over what cannot be run: plain files, directories, missing directories', () => {
  const plain = directory('plain', { tool: 0o644 })
  const folder = directory('folder', {})
  mkdirSync(join(folder, 'tool'))
  expect(findBinary(['tool'], [join(scratch.path, 'missing'), plain, folder])).toBeUndefined()
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findBenches } from './benches.ts'

it('lists benchmarks with the first line of their first comment, whatever its style', () => {
  const directory = mkdtempSync(join(tmpdir(), 'onrush-benches-'))
  const sources = {
    'b.bench.ts': '\n/**\n * Measures b.\n * At length.\n */\n',
    'a.bench.ts': "// Measures a.\n// More.\nimport 'node:fs'\n",
    'c.bench.ts': '/* Measures c. */\n',
    'helper.ts': '// No benchmark.\n',
  }
  for (const [file, source] of Object.entries(sources)) writeFileSync(join(directory, file), source)
  const found = findBenches(directory).map(({ name, summary }) => [name, summary])
  rmSync(directory, { recursive: true })
  expect(found).toEqual([
    ['a', 'Measures a.'],
    ['b', 'Measures b.'],
    ['c', 'Measures c.'],
  ])
})

it('finds none where there is no directory', () => {
  expect(findBenches('/does/not/exist')).toEqual([])
})

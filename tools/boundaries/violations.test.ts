import { expect, it } from 'vitest'
import { violationsOf } from './violations.ts'

const names = new Map([
  ['@onrush/protocol', 'libs/protocol'],
  ['@onrush/context', 'libs/context'],
  ['@onrush/load', 'libs/load'],
  ['@onrush/engine', 'libs/engine'],
  ['onrush', 'libs/script'],
  ['@onrush/servers', 'libs/servers'],
  ['@onrush/reporter', 'services/reporter'],
  ['@onrush/worker', 'services/worker'],
])
const broken = (path: string, source: string) =>
  violationsOf([{ path, source }], names).map(each => `${each.path}:${each.line}`)

it.each([
  ['a lower layer imports a higher one', 'libs/context/src/a.ts', "import { x } from '@onrush/engine/x'"],
  ['packages of one layer import each other', 'libs/context/src/a.ts', "import { x } from '@onrush/load/x'"],
  ['only a type is imported', 'libs/context/src/a.ts', "import type { X } from '@onrush/load/x'"],
  ['a type is imported in place', 'libs/context/src/a.ts', "let a: import('@onrush/load/x').X"],
  ['something is exported from elsewhere', 'libs/context/src/a.ts', "export { x } from '@onrush/load/x'"],
  ['an import is dynamic', 'libs/context/src/a.ts', "void import('@onrush/load/x')"],
  ['a service imports another', 'services/worker/src/a.ts', "import type { X } from '@onrush/reporter/x'"],
  ['the reporter imports the engine', 'services/reporter/src/a.ts', "import { x } from '@onrush/engine/x'"],
  ['a relative path leaves its package', 'libs/engine/src/a.ts', "import { x } from '../../load/src/x.ts'"],
  [
    "a thread's entry lies in another package",
    'services/worker/src/a.ts',
    "new URL('../../../libs/engine/src/slice.ts', import.meta.url)",
  ],
  ['a library starts servers', 'libs/engine/src/a.ts', "import { x } from '@onrush/servers/redis'"],
  ['process is read', 'libs/engine/src/a.ts', 'const x = process.env.A'],
  ['process is imported', 'libs/engine/src/a.ts', "import { env } from 'node:process'"],
])('refuses it when %s', (_, path, source) => {
  expect(broken(path, `\n${source}`)).toEqual([`${path}:2`])
})

it.each([
  ['a higher layer imports a lower one', 'libs/engine/src/a.ts', "import { x } from '@onrush/load/x'"],
  ['a service imports a library', 'services/worker/src/a.ts', "import { x } from '@onrush/engine/x'"],
  ['a test starts servers', 'libs/engine/src/a.test.ts', "import { x } from '@onrush/servers/redis'"],
  ['a package imports itself', 'libs/engine/src/a.ts', "import { x } from './x.ts'"],
  ['a thread lies in the package', 'libs/engine/src/a.ts', "new URL('./slice.ts', import.meta.url)"],
  [
    "a service starts another's process",
    'services/cli/src/a.ts',
    "new URL('../../worker/src/main.ts', import.meta.url)",
  ],
  ['main.ts reads process', 'services/worker/src/main.ts', 'process.exit(1)'],
  ['a field is named process', 'libs/engine/src/a.ts', 'const x = { process: 1 }; x.process'],
  ['a method is named process', 'libs/engine/src/a.ts', 'class A { process() {} }'],
])('allows it when %s', (_, path, source) => {
  expect(broken(path, source)).toEqual([])
})

it('lets one file per package import a heavy dependency', () => {
  const files = ['a', 'b'].map(name => ({ path: `libs/engine/src/${name}.ts`, source: "import 'undici'" }))
  expect(violationsOf(files, names)).toEqual([
    {
      path: 'libs/engine/src/b.ts',
      line: 1,
      message: expect.stringContaining('libs/engine/src/a.ts and libs/engine/src/b.ts'),
    },
  ])
})

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { limits } from '@onrush/protocol/limits'
import { afterAll, expect, it } from 'vitest'
import { Registry } from './registry.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'onrush-source-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const script = (url: string, more = '') => `import { atOnce, http, scenario, secret, simulation } from 'onrush'
${more}
export default simulation({
  environments: { local: { key: secret('marked-one'), password: 'looks like one' } },
  scenarios: [scenario('a', { inject: [atOnce(1)], steps: [http.get('home', ${url})] })],
})
`
const broken = 'scenarios:\n  - name: x\n    stepz: []\n    password: hunter2\n'

let folders = 0
function folderWith(files: Record<string, string>) {
  const place = join(root, String(++folders))
  const folder = join(place, 'simulations')
  const write = (name: string, text: string) => {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    const past = Date.now() / 1000 - 10 + Math.random()
    utimesSync(file, past, past)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  const open = (at = folder) =>
    new Registry({
      folder: at,
      cacheDir: join(place, 'cache'),
      now: () => new Date(),
      onProblem: (what, error) => {
        throw new Error(what, { cause: error })
      },
    })
  return { place, folder, write, open, registry: open() }
}

it('gives a script and its modules as they lie there, and as the last good version was made of them', async () => {
  const helper = "export const here = import.meta.url\nexport const url = new URL('/', 'http://a/').href\n"
  const uses = script('url', "import { url } from './lib/urls.ts'")
  const { registry, write, open, folder } = folderWith({ 'team/a.ts': uses, 'team/lib/urls.ts': helper })
  expect((await registry.source('team/a')).files).toMatchObject([{ file: 'team/a.ts', now: { cut: false } }])
  await registry.compile()
  const shown = await registry.source('team/a')
  expect(shown).toMatchObject({ name: 'team/a', left: 0 })
  expect(shown.files.map(({ file, good }) => [file, good])).toEqual([
    ['team/a.ts', undefined],
    ['team/lib/urls.ts', undefined],
  ])
  expect(shown.files[1]?.now).toEqual({ text: helper, cut: false })
  expect(shown.files[0]?.now?.text).toBe(uses.replace('marked-one', '…').replace('looks like one', '…'))

  write('team/lib/urls.ts', 'export const url: string = 7\n')
  expect(await registry.compile()).toMatchObject({ ok: false })
  for (const each of [registry, open()]) {
    expect((await each.source('team/a')).files[1]).toEqual({
      file: 'team/lib/urls.ts',
      now: { text: 'export const url: string = 7\n', cut: false },
      good: { text: helper, cut: false },
    })
  }
  rmSync(join(folder, 'team/lib/urls.ts'))
  expect((await registry.source('team/a')).files[1]).toEqual({
    file: 'team/lib/urls.ts',
    good: { text: helper, cut: false },
  })
})

it('gives one that never was good, without its secrets', async () => {
  const { registry } = folderWith({ 'broken.yaml': broken })
  await registry.compile()
  expect(await registry.source('broken')).toEqual({
    name: 'broken',
    files: [{ file: 'broken.yaml', now: { text: broken.replace('hunter2', '…'), cut: false } }],
    left: 0,
  })
})

it('reads nothing outside the folder, no data, no package and nothing hidden, whatever a script names', async () => {
  const imports = ['../outside.ts', './users.json', './.hidden.ts', './linked.ts', 'pack', './hard.ts']
  const names = imports.map((_, i) => `v${i}`)
  const text = imports.map((from, i) => `import { v as v${i} } from '${from}'`).join('\n')
  const secret = (name: string) => `export const v = 'from ${name}'\n`
  const { registry, place, folder } = folderWith({
    'a.js': script(`'http://a/?' + ${names.join(' + ')}`, text),
    'users.json': '{ "v": "from users" }',
    '.hidden.ts': secret('hidden'),
    'node_modules/pack/index.js': secret('pack'),
    'node_modules/pack/package.json': '{ "name": "pack", "main": "index.js" }',
    'hard.ts': secret('inside'),
  })
  writeFileSync(join(place, 'outside.ts'), secret('outside'))
  writeFileSync(join(place, 'target.ts'), secret('target'))
  symlinkSync(join(place, 'target.ts'), join(folder, 'linked.ts'))
  expect(await registry.compile()).toMatchObject({ ok: true })
  const shown = await registry.source('a')
  expect(shown.files.map(({ file }) => file)).toEqual(['a.js', 'hard.ts'])
  expect(JSON.stringify(shown)).not.toMatch(/from (?:outside|users|hidden|target|pack)/)

  // What took a module's place since is no module of this folder any more.
  rmSync(join(folder, 'hard.ts'))
  symlinkSync(join(place, 'outside.ts'), join(folder, 'hard.ts'))
  expect((await registry.source('a')).files[1]).toEqual({
    file: 'hard.ts',
    good: { text: secret('inside'), cut: false },
  })
  for (const name of ['../outside', '..%2foutside', '/etc/passwd', 'a.js', 'hard', '', '.hidden', 'users.json'])
    await expect(registry.source(name)).rejects.toMatchObject({ code: 'not_found' })
})

it('follows a link to the folder itself', async () => {
  const { registry, open, place, folder } = folderWith({
    'a.js': script('url', "import { url } from './urls.js'"),
    'urls.js': "export const url = 'http://a/'\n",
  })
  symlinkSync(folder, join(place, 'link'))
  const linked = open(join(place, 'link'))
  await linked.compile()
  expect((await linked.source('a')).files.map(({ file }) => file)).toEqual(['a.js', 'urls.js'])
  expect((await registry.source('a')).files.map(({ file }) => file)).toEqual(['a.js'])
})

it('shows only so much of what is long', async () => {
  const line = `// ${'é'.repeat(96)}\n`
  const { registry } = folderWith({
    'long.js': script("'http://a/'", line.repeat(20_000)),
  })
  const [file] = (await registry.source('long')).files
  expect(file?.now?.cut).toBe(true)
  expect(file?.now?.text.endsWith(line)).toBe(true)
  const { value } = limits.shownSource
  expect(file?.now?.text.length).toBeLessThanOrEqual(value)
  expect(file?.now?.text.length).toBeGreaterThan(value - line.length)
})

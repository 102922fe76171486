import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { CompilerMessage } from '@onrush/protocol/monitor'
import { afterAll, describe, expect, it } from 'vitest'
import { Registry } from './registry.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'onrush-registry-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const script = (step: string, more = '') => `import { atOnce, http, scenario, simulation } from 'onrush'
${more}
export default simulation({
  description: 'about ${step}',
  environments: { local: {}, staging: {} },
  variables: { currency: 'EUR' },
  scenarios: [scenario('a', { inject: [atOnce(1)], steps: [http.get('${step}', 'http://a/')] })],
})
`

let folders = 0
/** A folder of its own; what is written is older than any compile, as what people write mostly is. */
function folderWith(files: Record<string, string>) {
  const folder = join(root, `scripts-${++folders}`)
  const cacheDir = join(root, `cache-${folders}`)
  const write = (name: string, text: string) => {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    const past = Date.now() / 1000 - 10 + Math.random()
    utimesSync(file, past, past)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  const open = (dataDir?: string) =>
    new Registry({
      folder,
      cacheDir,
      ...(dataDir === undefined ? {} : { dataDir }),
      now: () => new Date(),
      parallel: 2,
      limits: { timeMs: 6_000, memoryMb: 256 },
      onProblem: (what, error) => {
        throw new Error(what, { cause: error })
      },
    })
  const remove = (name: string) => rmSync(join(folder, name))
  return { folder, write, remove, open, registry: open() }
}

describe('the simulations of a folder', () => {
  it('are not what a service keeps in its own folder, should that lie among them', async () => {
    const { folder, write, open } = folderWith({ 'checkout.ts': script('buy') })
    write('fleet/bundles/kept.mjs', script('kept'))
    const registry = open(join(folder, 'fleet'))
    await registry.compile()
    expect((await registry.list()).map(({ name }) => name)).toEqual(['checkout'])
  })

  it('are listed with what they are, and what is none is not listed', async () => {
    const { registry, folder } = folderWith({
      'checkout.ts': script('buy'),
      'team/search.yaml':
        'description: data\nscenarios:\n  - name: s\n    inject: [{ type: atOnceUsers, users: 1 }]\n    steps: [{ type: http, name: x, url: http://a/ }]\n',
      'lib/helper.ts': 'export const a = 1\n',
      'lib/quoted.ts': '// export default is only spoken of here\nexport const a = 1\n',
      '_shared.ts': 'export default 7\n',
      'items.json': '[{ "id": 1 }]',
      'types.d.ts': 'export default interface A {}\n',
      'checkout.test.ts': 'export default 1\n',
      'node_modules/x/index.js': 'export default 1\n',
      '.git/x.ts': 'export default 1\n',
    })
    symlinkSync('/etc/hostname', join(folder, 'leads-out.ts'))
    await registry.compile()
    const list = await registry.list()
    expect(list.map(({ name, status }) => [name, status])).toEqual([
      ['checkout', 'ok'],
      ['team/search', 'ok'],
    ])
    expect(list[0]).toMatchObject({
      file: 'checkout.ts',
      description: 'about buy',
      scenarios: ['a'],
      protocols: ['http'],
      environments: ['local', 'staging'],
      parameters: { currency: 'EUR' },
      files: [],
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  it('hurt no other where one is broken, a helper included, and each has its own faults', async () => {
    const { registry } = folderWith({
      'good.ts': script('fine'),
      'typed.ts': script('x').replace("'http://a/'", '7'),
      'uses.ts': script('x', "import { n } from './lib/wrong.ts'\nconsole.log(n)"),
      'types-only.ts': script(
        'x',
        "import type { T } from './lib/odd-types.ts'\nconst t: T | undefined = undefined\nconsole.log(t)",
      ),
      'lib/wrong.ts': "export const n: number = 'text'\n",
      'lib/odd-types.ts': 'export interface T { a: Missing }\n',
      'throws.ts': script('x', "if (Math.random() < 2) throw new Error('at load')"),
      'twice.ts': script('a'),
      'twice.json': '{ "scenarios": [] }',
      'odd name.ts': script('a'),
    })
    const outcome = await registry.compile()
    expect(outcome).toMatchObject({ ok: false, compiled: 1, failed: 6 })
    const faults = Object.fromEntries(
      outcome.simulations.map(({ name, errors = [] }) => [name, errors.map(fault => fault.path)]),
    )
    expect(faults).toEqual({
      good: [],
      'odd name': ['odd name.ts'],
      throws: ['throws.ts:2:30'],
      twice: ['twice.json'],
      typed: ['typed.ts:7:74'],
      'types-only': ['lib/odd-types.ts:1:25'],
      uses: ['lib/wrong.ts:1:14'],
    })
    await expect(registry.load('typed')).rejects.toMatchObject({ code: 'script_error' })
    expect((await registry.load('good')).warnings).toEqual([])
    await expect(registry.load('godo')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('"good"'),
    })
  })

  it('cost nothing while nothing changes, over a restart too', async () => {
    const { registry, open, write, folder } = folderWith({
      'a.ts': script('a', "import { n } from './lib/n.ts'\nconsole.log(n)"),
      'b.ts': script('b'),
      'lib/n.ts': 'export const n = 1\n',
    })
    expect(await registry.compile()).toMatchObject({ compiled: 2, unchanged: 0 })
    expect(await registry.compile()).toMatchObject({ compiled: 0, unchanged: 2 })
    const again = open()
    expect(await again.compile()).toMatchObject({ compiled: 0, unchanged: 2 })
    write('lib/n.ts', 'export const n = 2\n')
    expect(await again.compile()).toMatchObject({ compiled: 1, unchanged: 1 })
    utimesSync(join(folder, 'b.ts'), 1_000, 1_000)
    expect(await again.compile()).toMatchObject({ compiled: 0, unchanged: 2 })
  })

  it('are watched: what changes in them, or in the rows they name, is compiled by itself', async () => {
    const feed = script('row').replace('inject:', "feed: csv('users.csv'), inject:").replace('atOnce', 'atOnce, csv')
    const { registry, write } = folderWith({ 'a.ts': feed, 'users.csv': 'user\nada\n' })
    registry.watch()
    await expect.poll(() => registry.list()).toMatchObject([{ status: 'ok', files: ['users.csv'] }])
    write('users.csv', 'user,user\nada,1\n')
    await expect.poll(() => registry.list()).toMatchObject([{ status: 'failed' }])
    write('users.csv', 'user,id\nada,1\n')
    write('new/b.ts', script('b'))
    await expect
      .poll(async () => (await registry.list()).map(({ name, status }) => `${name} ${status}`))
      .toEqual(['a ok', 'new/b ok'])
    registry.close()
  })
})

describe('a version that fails', () => {
  it('leaves the last good one runnable, and says so wherever it is seen', async () => {
    const { registry, write, open } = folderWith({ 'a.ts': script('first') })
    await registry.compile()
    const good = await registry.load('a')
    write('a.ts', script('second').replace("'http://a/'", '7'))
    const lines: CompilerMessage[] = []
    registry.log.subscribe(message => lines.push(message))
    expect(await registry.compile()).toMatchObject({ ok: false, failed: 1 })
    expect(lines).toContainEqual(expect.objectContaining({ type: 'line', level: 'error', place: 'a.ts:7:79' }))
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', text: expect.stringContaining('stays runnable') }),
    )
    for (const each of [registry, open()]) {
      expect(await each.list()).toMatchObject([{ status: 'failed', lastGood: { hash: good.bundle.hash } }])
      const loaded = await each.load('a')
      expect(loaded).toMatchObject({ source: good.source, bundle: { hash: good.bundle.hash, code: good.bundle.code } })
      expect(loaded.warnings).toEqual([expect.stringContaining('a.ts:7:79')])
    }
    write('a.ts', script('third'))
    expect((await registry.load('a')).simulation.description).toBe('about third')
    expect((await registry.list())[0]).not.toHaveProperty('lastGood')
  })
})

describe('compiles', () => {
  it('never run two at once: the second joins, or follows where something has changed since', async () => {
    const { registry, write } = folderWith({ 'a.ts': script('a'), 'b.ts': script('b') })
    const lines: CompilerMessage[] = []
    registry.log.subscribe(message => lines.push(message))
    const [one, two] = await Promise.all([registry.compile(), registry.compile()])
    expect(one).toBe(two)
    expect(lines.filter(line => line.type === 'outcome')).toHaveLength(1)
    const first = registry.compile()
    write('a.ts', script('changed'))
    const second = await registry.compile()
    const outcomes = new Set([await first, second])
    expect([...outcomes].reduce((sum, { compiled }) => sum + compiled, 0)).toBe(1)
    expect((await registry.load('a')).simulation.description).toBe('about changed')
    const states = lines.flatMap(line => (line.type === 'state' ? [line.state] : []))
    for (const [i, state] of states.entries()) if (state === 'checking' && i > 1) expect(states[i - 1]).toBe('idle')
  })

  it('outlive scripts that loop, end their process, take all memory or throw: many at once, each with its line', async () => {
    const { registry } = folderWith({
      'fine.ts': script('fine'),
      'fine-too.ts': script('fine'),
      'loops.ts': script('x', 'for (;;) {}'),
      'exits.ts': script('x', 'process.exit(3)'),
      'hoards.ts': script(
        'x',
        'globalThis.hoard = Array.from({ length: 2048 }, () => Buffer.alloc(1048576, 1))\ndeclare global { var hoard: unknown }',
      ),
      'throws.ts': script('x', "throw new Error('no')"),
    })
    const outcome = await registry.compile()
    const found = Object.fromEntries(
      outcome.simulations.map(({ name, errors = [] }) => [
        name,
        errors.map(({ path, message }) => `${path} ${message}`),
      ]),
    )
    expect(found).toEqual({
      fine: [],
      'fine-too': [],
      loops: [expect.stringMatching(/^loops\.ts:2:\d+ .*still loading after 6 s/)],
      exits: [expect.stringMatching(/^exits\.ts:2:\d+ .*exit code 3/)],
      hoards: [expect.stringMatching(/^hoards\.ts.* more than 256 MB/)],
      throws: [expect.stringMatching(/^throws\.ts:2:\d+ Error: no/)],
    })
  })
})

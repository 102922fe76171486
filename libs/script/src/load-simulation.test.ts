import { describe, expect, it } from 'vitest'
import { loadSimulation, loadSpec } from './load-simulation.ts'
import { inThread } from './testing/in-thread.ts'
import { scriptFolder } from './testing/script-folder.ts'

const { cacheDir, faults, folder, load, write } = scriptFolder()

const spec = {
  description: 'Three at once',
  environments: { local: { shop: 'http://127.0.0.1:7090' } },
  scenarios: [
    {
      name: 'browse',
      inject: [{ type: 'atOnceUsers', users: 3 }],
      steps: [
        { type: 'http', name: 'home', method: 'GET', url: '{{$._env.shop}}/json', assert: { '$.status': 200 } },
        { type: 'pause', for: '1s' },
      ],
    },
  ],
}

const typescript = `import { atOnce, http, pause, scenario, simulation } from 'onrush'

export default simulation({
  description: 'Three at once',
  environments: { local: { shop: 'http://127.0.0.1:7090' } },
  scenarios: [
    scenario('browse', {
      inject: [atOnce(3)],
      steps: [http.get('home', '{{$._env.shop}}/json', { assert: { '$.status': 200 } }), pause('1s')],
    }),
  ],
})
`

const yaml = `# the same again
description: Three at once
environments:
  local: { shop: 'http://127.0.0.1:7090' }
scenarios:
  - name: browse
    inject:
      - { type: atOnceUsers, users: 3 }
    steps:
      - type: http
        name: home
        method: GET
        url: '{{$._env.shop}}/json'
        assert:
          $.status: 200
      - { type: pause, for: 1s }
`

const languages: [string, string][] = [
  ['three.ts', typescript],
  ['three.mts', typescript],
  ['three.mjs', typescript],
  ['three.js', typescript],
  ['three.yaml', yaml],
  ['three.yml', yaml],
  ['three.json', JSON.stringify(spec)],
]

describe('loading a simulation', () => {
  it.each(languages)('gives the same from %s', async (name, text) => {
    const loaded = await load(name, text)
    expect(loaded).toMatchObject({ name: 'three', source: text, spec, simulation: spec, files: {} })
    expect(loaded.file).toBe(`${folder}/${name}`)
    expect(await inThread(loaded.bundle.file, 'simulation')).toEqual(spec)
  })

  it('hashes the content: the same script has the same bundle wherever it lies', async () => {
    const here = await load('three.ts', typescript)
    const there = await load('elsewhere/three.ts', typescript)
    expect(here.bundle.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(there.bundle.code).toBe(here.bundle.code)
    const changed = await load('three.ts', typescript.replace('Three', 'Four'))
    expect(changed.bundle.hash).not.toBe(here.bundle.hash)
  })

  it('keeps functions in the bundle, and marks them in the data', async () => {
    const loaded = await load(
      'code.ts',
      `import { iterations, scenario, simulation, step } from 'onrush'

export default simulation({
  setup: () => ({ a: 1 }),
  scenarios: [scenario('a', { inject: [iterations(1)], steps: [step('sum', function sum() { return 1 + 2 })] })],
})
`,
    )
    expect(loaded.spec).toMatchObject({ setup: { $function: 'setup' } })
    expect(loaded.spec).toMatchObject({ scenarios: [{ steps: [{ name: 'sum', run: { $function: 'sum' } }] }] })
    expect(await inThread(loaded.bundle.file, 'simulation.scenarios[0].steps[0].run()')).toBe(3)
    expect(await inThread(loaded.bundle.file, 'simulation.setup()')).toEqual({ a: 1 })
  })

  it('gives a script the environment it was told to, and no more', async () => {
    const script = typescript.replace("'Three at once'", "process.env.TITLE ?? 'none'")
    expect((await load('env.ts', script)).simulation.description).toBe('none')
    expect((await load('env.ts', script, { env: { TITLE: 'mine' } })).simulation.description).toBe('mine')
  })

  it('refuses what is not there, and what it cannot read', async () => {
    await expect(loadSimulation(`${folder}/none.ts`, { cacheDir })).rejects.toMatchObject({ code: 'not_found' })
    await expect(loadSimulation(write('three.txt', ''), { cacheDir })).rejects.toMatchObject({ code: 'invalid' })
    await expect(loadSimulation(write('folder.ts/x', '').slice(0, -2), { cacheDir })).rejects.toMatchObject({
      code: 'invalid',
    })
  })

  it('loads a simulation that comes as data, and lets it name no files', async () => {
    const loaded = await loadSpec('inline', spec, cacheDir)
    expect(loaded).toMatchObject({ name: 'inline', simulation: spec, spec })
    const [scenario] = spec.scenarios
    const naming = { ...spec, scenarios: [{ ...scenario, feed: { file: '/etc/passwd', format: 'csv' } }] }
    await expect(loadSpec('inline', naming, cacheDir)).rejects.toMatchObject({
      code: 'invalid',
      errors: [{ path: '$.scenarios[0].feed.file' }],
    })
    await expect(loadSpec('inline', { ...spec, a: new Date() }, cacheDir)).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('the faults of a simulation', () => {
  // Who takes his time gets little of it; the others may have what a busy machine needs to start a process.
  const limits = (message: string) => ({ timeMs: message.includes('after 3 s') ? 3000 : 30_000, memoryMb: 128 })

  it.each([
    [
      'that throws',
      "const none = JSON.parse('{}')\nexport default none.a.b\n",
      ':2:',
      "TypeError: Cannot read properties of undefined (reading 'b')",
    ],
    [
      'that throws in a function',
      "function fail(): never {\n  throw new RangeError('too far')\n}\nexport default fail()\n",
      ':2:',
      'RangeError: too far',
    ],
    ['that throws no error', "throw 'a text'\n", '', 'the value a text was thrown'],
    [
      'that throws later',
      'setTimeout(() => {\n  throw new Error("later")\n}, 10)\nawait new Promise(resolve => setTimeout(resolve, 1000))\nexport default {}\n',
      ':2:',
      'Error: later',
    ],
    [
      'that never ends',
      'let n = 0\nwhile (n >= 0) n = (n + 1) % 10\nexport default {}\n',
      ':2:',
      'still loading after 3 s',
    ],
    [
      'that waits long',
      'await new Promise(resolve => setTimeout(resolve, 60_000))\nexport default {}\n',
      '',
      'still loading after 3 s',
    ],
    [
      'that waits for nothing',
      'await new Promise(() => undefined)\nexport default {}\n',
      '',
      'something that never comes',
    ],
    [
      'that ends its process',
      "import process from 'node:process'\n\nprocess.exit(0)\nexport default {}\n",
      ':3:',
      'exit code 0',
    ],
    ['that kills its process', "process.kill(process.pid, 'SIGKILL')\nexport default {}\n", '', 'signal SIGKILL'],
    [
      'that fills the heap',
      'const all: unknown[] = []\nfor (;;) {\n  all.push(new Array(100_000).fill(1))\n}\nexport default {}\n',
      ':3:',
      'more than 128 MB',
    ],
    [
      'that fills memory beside the heap',
      'const all: Buffer[] = []\nfor (let i = 0; i < 40; i++) {\n  all.push(Buffer.alloc(50_000_000, 1))\n}\nexport default {}\n',
      ':3:',
      'more than 128 MB',
    ],
    [
      'that takes 2 GB at once',
      'export const all = Buffer.alloc(2_000_000_000)\nexport default {}\n',
      '',
      'more than 128 MB',
    ],
    [
      'that writes into our pipe',
      "import { writeSync } from 'node:fs'\nwriteSync(4, 'x\\n')\nexport default {}\n",
      '',
      'ended with',
    ],
    ['without a default export', 'export const simulation = {}\n', '', 'no default export (exported are simulation)'],
    ['without any export', 'export {}\n', '', 'no default export (nothing is exported)'],
  ])('names the line of a script %s', async (_, text, place, message) => {
    const [fault, ...more] = await faults('bad.ts', text, { limits: limits(message) })
    expect(more).toEqual([])
    expect(fault?.path.startsWith(`bad.ts${place}`)).toBe(true)
    expect(fault?.message).toContain(message)
  })

  it('keeps answering while a script prints and leaves timers behind', async () => {
    const noisy = `console.log('x'.repeat(1_000_000))\nconsole.error('x'.repeat(1_000_000))\nsetInterval(() => {}, 1000)\n`
    expect((await load('noisy.ts', typescript.replace('\n', `\n${noisy}`))).name).toBe('noisy')
  })

  it('places faults of the data at the builder that wrote it', async () => {
    const script = `import { atOnce, csv, http, pause, scenario, simulation } from 'onrush'

export default simulation({
  scenarios: [
    scenario('a', {
      inject: [atOnce(-3)],
      steps: [
        pause('8d'),
        http.get('x', '/relative'),
      ],
    }),
  ],
})
`
    expect((await faults('data.ts', script)).map(fault => fault.path)).toEqual([
      'data.ts:6:16 $.scenarios[0].inject[0].users',
      'data.ts:8:9 $.scenarios[0].steps[0].for',
      'data.ts:9:14 $.scenarios[0].steps[1].url',
    ])
    const later = script.replace('-3', '3').replace('8d', '1s').replace('/relative', 'http://a/{{$._s.x')
    expect((await faults('data.ts', later)).map(fault => fault.path)).toEqual([
      'data.ts:9:14 $.scenarios[0].steps[1].url',
    ])
  })

  it('tells whatever is no data', async () => {
    const text = `const round: { a?: object } = {}
round.a = round
export default { variables: { a: new Date(), b: Number.NaN, c: 3n, d: Symbol('x'), e: [new Map()], f: Promise.resolve(), g: round } }
`
    const found = await faults('odd.ts', text)
    expect(found.slice(0, 7).map(({ path, message }) => [path.split('.').at(-1), message])).toEqual([
      ['a', 'expected plain data, got an instance of Date'],
      ['b', 'expected plain data, got NaN'],
      ['c', 'expected plain data, got the big integer 3n; write it as text'],
      ['d', 'expected plain data, got a symbol'],
      ['e[0]', 'expected plain data, got an instance of Map'],
      ['f', 'expected plain data, got a promise; await it'],
      ['a', 'expected plain data, got a structure that holds itself'],
    ])
  })

  it.each([
    [
      'wrong.yaml',
      'description: 3\nscenarios:\n  - name: a\n    steps:\n      - type: http\n        methd: GET\n        name: x\n        url: http://a/\n',
      ['wrong.yaml:1:1 $.description', 'wrong.yaml:6:9 $.scenarios[0].steps[0].methd'],
    ],
    [
      'wrong.json',
      '{ "description": 3,\n  "scenarios": [{ "name": "a",\n    "steps": [{ "type": "htp" }] }] }\n',
      ['wrong.json:1:3 $.description', 'wrong.json:3:17 $.scenarios[0].steps[0].type'],
    ],
    [
      'missing.yaml',
      'scenarios:\n  - steps:\n      - { type: pause, for: 1s }\n',
      ['missing.yaml:2:5 $.scenarios[0].name'],
    ],
    ['syntax.yaml', 'scenarios: [\n', ['syntax.yaml:2:1']],
    ['syntax.json', '{\n  "scenarios": [],\n}\n', ['syntax.json:3:1']],
    ['empty.json', '', ['empty.json:1:1']],
    ['empty.yaml', '', ['empty.yaml:1:1 $']],
    ['twice.json', '{\n  "seed": 1,\n  "seed": 2 }\n', ['twice.json:3:3']],
    ['tag.yaml', 'seed: !!js/function 1\n', ['tag.yaml:1:7']],
  ])('places faults in %s', async (name, text, places) => {
    expect((await faults(name, text)).map(fault => fault.path)).toEqual(places)
  })
})

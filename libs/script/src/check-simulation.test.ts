import { describe, expect, it } from 'vitest'
import { checkSimulation } from './check-simulation.ts'
import { scriptFolder } from './testing/script-folder.ts'

const { folder, write } = scriptFolder()
write('users.csv', 'user,password\nada,secret\n')
write('shop.proto', 'syntax = "proto3";\nimport "types/item.proto";\nimport "google/protobuf/empty.proto";\n')
write('types/item.proto', 'import public "../more.proto";\n')
write('more.proto', 'import "lost.proto";\n')

const home = { type: 'http', name: 'home', url: 'http://a/' }
const simulationWith = (step: object, scenario: object = {}, more: object = {}) => ({
  scenarios: [{ name: 'a', inject: [{ type: 'atOnceUsers', users: 1 }], steps: [{ ...home, ...step }], ...scenario }],
  ...more,
})
const faultsOf = async (simulation: object, where: string | undefined = folder) => {
  const checked = await checkSimulation(simulation, where)
  return Array.isArray(checked) ? checked.map(({ path, message }) => `${path} ${message}`) : []
}

describe('checking a simulation as a whole', () => {
  it.each<[string, object, string, string]>([
    ['a template in a URL', { url: 'http://a/{{' }, '.url', 'at column'],
    ['a template in a name', { name: '{{$._s.}}' }, '.name', 'column'],
    ['a template in a header', { headers: { a: '{{nope()}}' } }, '.headers.a', 'unknown function "nope"'],
    ['a template in a body', { body: { list: ['{{x}}'] } }, '.body.list[0]', 'neither a reference nor a call'],
    ['a template in a query', { query: { q: '{{' } }, '.query.q', 'column'],
    ['a template in a part', { multipart: [{ name: 'a', value: '{{' }] }, '.multipart[0].value', 'column'],
    ['a template in a tag', { tags: { a: '{{' } }, '.tags.a', 'column'],
    ['a path in an assertion', { assert: { '$.a[': 1 } }, '.assert["$.a["]', 'column'],
    [
      'a regular expression',
      { assert: { '$.entity': { $regex: '(' } } },
      '.assert["$.entity"].$regex',
      'regular expression',
    ],
    ['a path in an export', { export: { a: '$.b[' } }, '.export.a', 'column'],
  ])('finds %s', async (_, step, path, message) => {
    const [first, ...more] = await faultsOf(simulationWith(step))
    expect(more).toEqual([])
    expect(first).toContain(`$.scenarios[0].steps[0]${path} `)
    expect(first).toContain(message)
  })

  it.each<[string, object, object, string]>([
    ['of an environment', {}, { environments: { local: { a: '{{$._s.x}}' } } }, '$.environments.local.a '],
    ['of a variable', {}, { variables: { a: '{{' } }, '$.variables.a '],
    ['of the defaults', {}, { http: { headers: { a: '{{' } } }, '$.http.headers.a '],
    ['of an import', { imports: { a: '{{' } }, {}, '$.scenarios[0].imports.a '],
  ])('finds a template %s', async (_, scenario, more, path) => {
    const [first] = await faultsOf(simulationWith({}, scenario, more))
    expect(first?.startsWith(path)).toBe(true)
  })

  it('refuses templates in the text of a statement, unless they are marked', async () => {
    const sql = { db: { client: 'pg', connection: '{{$._env.db}}' } }
    const query = { type: 'sql', name: 'q', on: 'db', query: "select '{{$._env.a}}'" }
    const withSteps = (...steps: object[]) => simulationWith({}, { steps }, { sql })
    expect(await faultsOf(withSteps(query))).toEqual([expect.stringContaining('.steps[0].query expected a statement')])
    expect(await faultsOf(withSteps({ ...query, raw: true }))).toEqual([])
    expect(await faultsOf(withSteps({ ...query, query: 'select ?', params: ['{{$._env.a}}'] }))).toEqual([])
    const transaction = [{ query: 'select ?', params: ['{{'] }, { query: '{{uuid()}}' }]
    expect(await faultsOf(withSteps({ type: 'sql', name: 't', on: 'db', transaction }))).toEqual([
      expect.stringContaining('.transaction[0].params[0] '),
      expect.stringContaining('.transaction[1].query expected a statement'),
    ])
  })

  it.each<[string, object, object, string[]]>([
    ['a path with a base', { url: '/x' }, { http: { baseUrl: 'http://a' } }, []],
    ['what only the run knows', { url: '{{$._env.shop}}/x' }, {}, []],
    ['a path without a base', { url: '/x' }, {}, ['$.scenarios[0].steps[0].url expected an absolute URL']],
    [
      'another scheme',
      { url: 'htp://a/' },
      { http: { baseUrl: 'http://a' } },
      ['$.scenarios[0].steps[0].url expected "http://…" or "https://…", got "htp://a/"'],
    ],
    ['a base without a scheme', {}, { http: { baseUrl: 'a:80' } }, ['$.http.baseUrl expected "http://…"']],
  ])('knows where a request can go: %s', async (_, step, more, messages) => {
    expect(await faultsOf(simulationWith(step, {}, more))).toEqual(messages.map(text => expect.stringContaining(text)))
  })

  it('says what else is wrong with data that has not the right shape, and nothing that only follows from it', async () => {
    const found = await faultsOf(
      simulationWith(
        { exprt: { a: '$.entity' }, timeout: 5, headers: { h: '{{nope()}}' }, body: '{{$._s.a}}' },
        { feed: { file: 'none.csv' } },
      ),
    )
    expect(found).toEqual([
      expect.stringContaining('.steps[0].timeout expected a duration'),
      expect.stringContaining('.steps[0].exprt unknown field "exprt" (did you mean "export"?)'),
      expect.stringContaining('.steps[0].headers.h unknown function "nope"'),
      expect.stringContaining('.feed.file expected a file'),
    ])
    const thresholds = { duration: ['p95<5'], durations: ['avg<1'], 'duration{step:hom}': ['avg<1'] }
    expect(await faultsOf(simulationWith({}, {}, { thresholds }))).toEqual([
      expect.stringContaining('$.thresholds.duration[0] expected a check like'),
      expect.stringContaining('there is no metric "durations"'),
      expect.stringContaining('there is no step "hom"'),
    ])
  })

  it('finds files, from the folder of the script', async () => {
    const step = { multipart: [{ name: 'a', file: './users.csv' }] }
    const checked = await checkSimulation(simulationWith(step, { feed: { file: 'users.csv' } }), folder)
    expect(checked).toMatchObject({
      files: { 'users.csv': `${folder}/users.csv`, './users.csv': `${folder}/users.csv` },
    })
  })

  it.each<[string, object]>([
    ['$.scenarios[0].feed.file', simulationWith({}, { feed: { file: 'none.csv' } })],
    ['$.scenarios[0].feed[1].file', simulationWith({}, { feed: [{ rows: [{}] }, { file: 'none.csv' }] })],
    ['$.scenarios[0].steps[0].file', simulationWith({ file: 'none.bin' })],
    ['$.scenarios[0].steps[0].multipart[0].file', simulationWith({ multipart: [{ name: 'a', file: '.' }] })],
    ['$.http.tls.ca', simulationWith({}, {}, { http: { tls: { ca: 'none.pem' } } })],
    ['$.grpc.shop.proto[0]', simulationWith({}, {}, { grpc: { shop: { address: 'a:1', proto: ['none.proto'] } } })],
  ])('misses the file at %s', async (path, simulation) => {
    expect(await faultsOf(simulation)).toEqual([expect.stringContaining(`${path} expected a file`)])
  })

  it('follows the imports of protocol files', async () => {
    const grpc = { shop: { address: 'a:1', proto: 'shop.proto' } }
    const [fault] = await faultsOf(simulationWith({}, {}, { grpc }))
    expect(fault).toContain('more.proto imports "lost.proto"')
    write('includes/lost.proto', '')
    const found = await checkSimulation(
      simulationWith({}, {}, { grpc: { shop: { ...grpc.shop, includes: ['includes'] } } }),
      folder,
    )
    expect(found).toMatchObject({
      files: {
        'shop.proto': `${folder}/shop.proto`,
        'types/item.proto': `${folder}/types/item.proto`,
        'more.proto': `${folder}/more.proto`,
        'includes/lost.proto': `${folder}/includes/lost.proto`,
      },
    })
  })

  it.each<[string, object, object, string[]]>([
    ['a column', { body: '{{$._s.user}}' }, {}, []],
    ['a misspelt column', { body: { u: '{{$._s.usr}}' } }, {}, ['$.scenarios[0].steps[0].body.u ']],
    ['a column with a default', { body: "{{$._s.usr ?? 'x'}}" }, {}, []],
    ['an import', { body: '{{$._s.a}}' }, { imports: { a: 1 } }, []],
    ['an export', { body: '{{$._s.a}}', export: { a: '$.entity' } }, {}, []],
    [
      'an export into the job',
      { body: '{{$._s.a}}', export: { a: { path: '$.entity', scope: '_j' } } },
      {},
      ['.body '],
    ],
    ['a column in quotes', { body: "{{$._s['usr']}}" }, {}, ['$.scenarios[0].steps[0].body ']],
  ])('knows what a scenario gives: %s', async (_, step, scenario, paths) => {
    const found = await faultsOf(simulationWith(step, { feed: { file: 'users.csv' }, ...scenario }))
    expect(found).toEqual(paths.map(path => expect.stringContaining(path)))
  })

  it('does not judge what code may set', async () => {
    const code = { type: 'code', name: 'x', run: () => undefined }
    const steps = [code, { ...home, body: '{{$._s.a}}' }]
    expect(await faultsOf(simulationWith({}, { steps }))).toEqual([])
  })

  it('suggests the name that was meant', async () => {
    const [fault] = await faultsOf(simulationWith({ body: '{{$._s.usr}}' }, { feed: { file: 'users.csv' } }))
    expect(fault).toContain('did you mean "user"?')
  })

  it.each<[string, object, string[]]>([
    [
      'what there is',
      { duration: ['p(95)<5'], 'duration{step:home}': ['avg<3'], 'failed{scenario:a}': ['rate<1'] },
      [],
    ],
    ['an unknown metric', { durations: ['p(95)<5'] }, ['there is no metric "durations"']],
    ['an unknown step', { 'duration{step:hom}': ['p(95)<5'] }, ['there is no step "hom"']],
    ['an unknown statistic', { failed: ['p(95)<5'] }, ['has no "p"']],
  ])('knows thresholds: %s', async (_, thresholds, messages) => {
    const found = await faultsOf(simulationWith({}, {}, { thresholds }))
    expect(found).toEqual(messages.map(message => expect.stringContaining(message)))
  })
})

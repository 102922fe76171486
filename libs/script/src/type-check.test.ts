import { describe, expect, it } from 'vitest'
import { scriptFolder } from './testing/script-folder.ts'

const { faults, load, write } = scriptFolder()

/** A script with one line of its own, line 6. */
const scriptWith = (line: string) => `import { atOnce, csv, http, pause, scenario, simulation, sql, step } from 'onrush'

export default simulation({
  scenarios: [
    scenario('a', { inject: [atOnce(1)], steps: [
${line}
    ] }),
  ],
})
`

describe('the type check of a script', () => {
  it.each([
    ['an unknown option', "http.get('x', 'http://a/', { asert: {} }),", 30, "Did you mean to write 'assert'?"],
    ['an unknown operator', "http.get('x', 'http://a/', { assert: { '$.a': { $gtt: 1 } } }),", 40, '$gtt'],
    [
      'an assertion without a path',
      "http.get('x', 'http://a/', { assert: { status: 200 } }),",
      40,
      "'status' does not",
    ],
    [
      'an export into a reserved scope',
      "http.get('x', 'http://a/', { export: { a: { path: '$.a', scope: '_g' } } }),",
      58,
      '"_g"',
    ],
    ['a wrong duration', "pause('3x'),", 7, '"3x"'],
    ['a missing argument', "http.get('x'),", 6, 'Expected 2-3 arguments'],
    ['a statement without a connection', "sql.query('x', 'select 1', {}),", 28, "'on' is missing"],
    ['a file that is no step', "csv('a.csv'),", 1, 'not assignable'],
    ['a wrong method of the session', "step('x', session => session.cont('a')),", 30, "'cont' does not exist"],
  ])('places %s', async (_, line, column, message) => {
    const found = await faults('wrong.ts', scriptWith(line))
    expect(found[0]?.path).toBe(`wrong.ts:6:${column}`)
    expect(found[0]?.message).toContain(message)
  })

  it('gives all at once, of every file that is imported', async () => {
    write('parts/steps.ts', "import { pause } from 'onrush'\nexport const steps = [pause(3)]\n")
    const found = await faults(
      'all.ts',
      `import { http, scenario, simulation } from 'onrush'
import { steps } from './parts/steps.ts'

export default simulation({ seed: '1', scenarios: [scenario('a', { steps: [...steps, http.get('x', 7)] })] })
`,
    )
    expect(found.map(fault => fault.path)).toEqual(['all.ts:4:29', 'all.ts:4:100', 'parts/steps.ts:2:29'])
  })

  it('knows the modules of Node, and takes a package without types as any', async () => {
    write('node_modules/untyped/package.json', '{ "name": "untyped", "version": "1.0.0", "main": "index.js" }')
    write('node_modules/untyped/index.js', 'exports.twice = text => text + text')
    const loaded = await load(
      'node.ts',
      `import { createHash } from 'node:crypto'
import { twice } from 'untyped'
import { atOnce, http, scenario, simulation } from 'onrush'

const name: string = createHash('md5').update(twice('a')).digest('hex')
export default simulation({ scenarios: [scenario(name, { inject: [atOnce(1)], steps: [http.get('a', 'http://a/')] })] })
`,
    )
    expect(loaded.simulation.scenarios[0]?.name).toBe('4124bc0a9335c27f086f24ba207a4912')
  })
})

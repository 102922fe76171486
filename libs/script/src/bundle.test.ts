import { describe, expect, it } from 'vitest'
import { inThread } from './testing/in-thread.ts'
import { scriptFolder } from './testing/script-folder.ts'

const { faults, folder, load, write } = scriptFolder()

const pack = (name: string, type: string, files: { [file: string]: string }) => {
  const [main] = Object.keys(files)
  write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', type, main }))
  for (const [file, text] of Object.entries(files)) write(`node_modules/${name}/${file}`, text)
}

/** A simulation whose steps are functions: what they give is looked at in a thread. */
const scriptWith = (imports: string, ...functions: string[]) => `${imports}
import { iterations, scenario, simulation, step } from 'onrush'

export default simulation({ scenarios: [scenario('a', { inject: [iterations(1)], steps: [
${functions.map((text, i) => `step('${i}', ${text}),`).join('\n')}
] })] })
`
const resultOf = (file: string, i: number) => inThread(file, `simulation.scenarios[0].steps[${i}].run()`)

describe('a bundle', () => {
  it('holds packages of either kind, and what those require of Node', async () => {
    pack('modern', 'module', { 'index.js': "import { sep } from 'node:path'\nexport const modern = 'modern' + sep" })
    pack('classic', 'commonjs', {
      'index.js':
        "const { readFileSync } = require('fs')\nmodule.exports = { text: () => readFileSync(__dirname + '/data.txt', 'utf8'), file: __filename }",
      'data.txt': 'beside the package',
    })
    const { bundle } = await load(
      'packages.ts',
      scriptWith(
        "import { modern } from 'modern'\nimport classic from 'classic'",
        '() => modern',
        '() => classic.text()',
      ),
    )
    expect(await resultOf(bundle.file, 0)).toBe('modern/')
    expect(await resultOf(bundle.file, 1)).toBe('beside the package')
    expect(bundle.code).not.toContain(folder)
  })

  it('tells each module the place of its source', async () => {
    write('parts/here.ts', 'export const here = import.meta.url\nexport const file = import.meta.filename\n')
    const { bundle } = await load(
      'place.ts',
      scriptWith(
        "import { file, here } from './parts/here.ts'",
        '() => import.meta.dirname',
        '() => new URL("users.csv", import.meta.url).pathname',
        '() => [here, file]',
      ),
    )
    expect(await resultOf(bundle.file, 0)).toBe(folder)
    expect(await resultOf(bundle.file, 1)).toBe(`${folder}/users.csv`)
    expect(await resultOf(bundle.file, 2)).toEqual([`file://${folder}/parts/here.ts`, `${folder}/parts/here.ts`])
  })

  it('leaves the names to modules that make them themselves', async () => {
    pack('own', 'module', {
      'index.js':
        "import { dirname } from 'node:path'\nimport { fileURLToPath } from 'node:url'\nconst __filename = fileURLToPath(import.meta.url)\nconst __dirname = dirname(__filename)\nexport const own = [__filename, __dirname]\n",
    })
    const { bundle } = await load('own.ts', scriptWith("import { own } from 'own'", '() => own'))
    const place = `${folder}/node_modules/own`
    expect(await resultOf(bundle.file, 0)).toEqual([`${place}/index.js`, place])
  })

  it('names the line of the script in the errors of a thread', async () => {
    const { bundle } = await load('lines.ts', scriptWith('', '() => {\n\n  throw new Error("here")\n}'))
    const stack = await inThread(
      bundle.file,
      '(() => { try { simulation.scenarios[0].steps[0].run() } catch (error) { return error.stack } })()',
    )
    expect(stack).toContain(`${folder}/lines.ts:7:`)
  })

  it.each([
    ['a package that is not there', "import { x } from 'no-such-package'", 1, 'no-such-package'],
    ['a file that is not there', "import { x } from './none.ts'", 1, './none.ts'],
    ['a name that a module does not have', "import { nothing } from 'onrush'", 1, 'nothing'],
    ['what is no program', 'const = 3', 1, ''],
  ])('places %s', async (_, line, row, message) => {
    const [fault] = await faults('wrong.js', `${line}\nexport default {}\n`)
    expect(fault?.path).toMatch(new RegExp(`^wrong\\.js:${row}:\\d+$`))
    expect(fault?.message).toContain(message)
  })

  it('refuses a native addon, and says why', async () => {
    pack('native', 'commonjs', { 'index.js': "module.exports = require('./addon.node')", 'addon.node': 'ELF' })
    const found = await faults('addon.js', "import 'native'\nexport default {}\n")
    expect(found).toHaveLength(1)
    expect(found[0]?.path).toMatch(/^node_modules\/native\/index\.js:1:\d+$/)
    expect(found[0]?.message).toContain('native addon')
  })

  it('does not look at the settings of the folder it lies in', async () => {
    write('tsconfig.json', '{ "compilerOptions": { "strict": false, "paths": { "onrush": ["./mine.ts"] } } }')
    write('mine.ts', 'export {}\n')
    expect((await load('settings.ts', scriptWith('', '() => 1'))).name).toBe('settings')
  })
})

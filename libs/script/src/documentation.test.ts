import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as onrush from './onrush.ts'
import { scriptFolder } from './testing/script-folder.ts'

const { load, write } = scriptFolder()
const page = readFileSync(new URL('../../../docs/writing-simulations.md', import.meta.url), 'utf8')
write('users.csv', 'user,password,item\nada,secret,7\n')
write('items.json', '[{ "item": 7 }]')
write('words.jsonl', '{ "word": "mug" }\n')

const imports = `import { ${Object.keys(onrush).join(', ')} } from 'onrush'\n`
const scenario = (steps: string, more = '') =>
  `scenario('a', { feed: rows([{ item: 7, kind: 'mug' }]), ${more}steps: [${steps}] })`
const home = "http.get('home', '/json')"
const simulation = (options: string, scenarios: string) =>
  `${imports}export default simulation({ http: { baseUrl: 'http://127.0.0.1' }, ${options} scenarios: [${scenarios}] })\n`

/** A block of the page is a whole script, or a part of one, as the word after its language says. */
const scripts: { readonly [kind: string]: (block: string) => string } = {
  'ts script': block => block,
  'ts options': block => simulation(block, scenario(home)),
  'ts steps': block => simulation('inject: [atOnce(1)],', scenario(block)),
  'ts feed': block =>
    simulation('inject: [atOnce(1)],', `scenario('a', { feed: ${block}, steps: [http.get('a', '/{{$._s.word}}')] })`),
  yaml: block => block,
  json: block => block,
}
const blocks = [...page.matchAll(/^```(\w[\w ]*)\n([\s\S]*?)^```$/gm)].map(([, kind = '', block = ''], i) => ({
  kind,
  block,
  name: `block-${i + 1}`,
}))

describe('the page about writing simulations', () => {
  it.each(blocks.filter(({ kind }) => kind !== 'jsonc'))(
    '$name ($kind) is without a fault',
    async ({ kind, block, name }) => {
      const script = scripts[kind]
      if (script === undefined) throw new Error(`nobody checks a block of the kind "${kind}"`)
      const loaded = await load(`${name}.${kind.split(' ')[0]}`, script(block))
      expect(loaded.simulation.scenarios.length).toBeGreaterThan(0)
    },
  )

  it('has examples of every kind', () => {
    expect(new Set(blocks.map(({ kind }) => kind))).toEqual(new Set([...Object.keys(scripts), 'jsonc']))
  })

  it.each(Object.keys(onrush))('shows %s', name => {
    expect(page).toMatch(new RegExp(`\\b${name}(?:\\.\\w+)?\\(`))
  })
})

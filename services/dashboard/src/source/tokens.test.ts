import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tokenLines } from './tokens.ts'

const kindsOf = (source: string, file: string) =>
  tokenLines(source, file).map(line =>
    line.flatMap(({ text, kind }) => (kind === undefined ? [] : [`${kind} ${text}`])),
  )

it('tells comments, texts, words and numbers of a script apart', () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: this is the text of a script
  const source = `import { http } from 'onrush' // the "library"
/* two
   lines */
const a = user.from ? 1_000 : -2.5e3, b1 = \`on \${a}
two\`
const open = "it's`
  expect(kindsOf(source, 'a.ts')).toEqual([
    ['keyword import', 'keyword from', "text 'onrush'", 'comment // the "library"'],
    ['comment /* two'],
    ['comment    lines */'],
    ['keyword const', 'number 1_000', 'number -2.5e3', 'text `on ${a}'],
    ['text two`'],
    ['keyword const', 'text "it\'s'],
  ])
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the script ends here
})

it('tells names from texts in data', () => {
  expect(kindsOf('{ "name": "x", "n": 3, "ok": true }', 'a.json')).toEqual([
    ['name "name"', 'text "x"', 'name "n"', 'number 3', 'name "ok"', 'keyword true'],
  ])
  expect(kindsOf('# all\nsteps:\n  - type: http # one\n    url: http://a/#b\n    in: { min: 2s }', 'a.yaml')).toEqual([
    ['comment # all'],
    ['name steps'],
    ['name type', 'comment # one'],
    ['name url'],
    ['name in', 'name min'],
  ])
})

it('loses nothing, whatever it is given, and takes no time for a long piece', () => {
  const written = fc.string({ unit: fc.constantFrom(...'ab1"\'`/*#:{}-,.\\$ \n'), maxLength: 80 })
  fc.assert(
    fc.property(written, fc.constantFrom('a.ts', 'a.yaml', 'a.json'), (source, file) => {
      const back = tokenLines(source, file).map(line => line.map(({ text }) => text).join(''))
      expect(back.join('\n')).toBe(source.replace(/\n$/, ''))
    }),
  )
  for (const piece of ['a', '/*', '"', '1', '- ', ' '])
    for (const file of ['a.ts', 'a.yaml'])
      expect(tokenLines(piece.repeat(100_000), file).flat().length).toBeGreaterThan(0)
})

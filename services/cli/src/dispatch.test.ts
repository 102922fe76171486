import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, it } from 'vitest'
import { commands } from './commands.ts'
import { dispatch } from './dispatch.ts'
import type { Io } from './io.ts'
import { root } from './tree.ts'

async function run(...args: string[]) {
  const written = { out: '', err: '' }
  const output = (name: 'out' | 'err') => ({
    write: (text: string) => {
      written[name] += text
    },
    tty: false,
    colours: false,
    columns: 80,
    rows: 24,
  })
  const io: Io = {
    out: output('out'),
    err: output('err'),
    env: {},
    cwd: root,
    node: process.execPath,
    nodeVersion: process.versions.node,
    onSignal: () => () => {},
  }
  return { code: await dispatch(args, io), ...written }
}

it.each([[[]], [['--help']], [['-h']], [['help']]])('lists every command for %j', async args => {
  const { code, out, err } = await run(...args)
  expect([code, err]).toEqual([0, ''])
  for (const { name, summary } of commands)
    expect(out).toMatch(new RegExp(`^  ${name} +${summary.replaceAll('.', '\\.')}$`, 'm'))
})

it.each(commands.map(({ name }) => name))('explains %s', async name => {
  const { code, out } = await run(name, '--help')
  expect(code).toBe(0)
  expect(out).toContain(`Usage: onrush ${name}`)
  expect(await run('help', name)).toEqual({ code, out, err: '' })
})

it('prints the version of the tree', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(await run('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' })
})

it('suggests the nearest command for a mistyped one', async () => {
  expect(await run('tset')).toEqual({
    code: 104,
    out: '',
    err: 'error: no command "tset"; did you mean "test"? onrush --help lists them\n',
  })
})

it('prints every wrong argument and answers 104', async () => {
  expect(await run('demo-target', '--prot', '1', '--https=2')).toEqual({
    code: 104,
    out: '',
    err: `error: cannot read the arguments
  --prot: no such flag; did you mean "--port"?
  --https: takes no value, got "2"; write --https alone
`,
  })
})

it.each([
  [['-d', 'x'], '-d: no such flag; here it is -b, the body'],
  [['-XPOST'], '-X: no such flag; here it is -m, the method'],
])('tells who knows other tools what %j is called here', async (flags, words) => {
  const { code, err } = await run('quick', ...flags, 'http://127.0.0.1:1')
  expect([code, err]).toEqual([104, expect.stringContaining(words)])
})

it('refuses to test what is not in the tree', async () => {
  const { code, err } = await run('test', 'libs/nowhere', '../outside')
  expect(code).toBe(104)
  expect(err).toMatch(/libs\/nowhere: expected a file.*\n.*\.\.\/outside: expected a file/)
})

it('knows no benchmark of that name', async () => {
  const { code, err } = await run('bench', 'tarjet')
  expect(code).toBe(104)
  expect(err).toContain('no benchmark "tarjet"')
})

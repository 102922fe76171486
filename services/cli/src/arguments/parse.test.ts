import { OnrushError } from '@onrush/protocol/error'
import { expect, it } from 'vitest'
import type { Operand } from './operands.ts'
import { flag, one } from './option.ts'
import { parseArguments } from './parse.ts'
import { integer, text } from './readings.ts'

const options = {
  port: one({ placeholder: 'port', short: 'p', summary: 'where', read: integer(0, 65_535), fallback: 7090 }),
  host: one({ placeholder: 'address', summary: 'which', read: text }),
  https: flag('secure', 's'),
}
const operands: Operand[] = [{ name: 'simulation', summary: 'a simulation' }]

function faults(args: string[], allowed: Operand[] = operands): Record<string, string> {
  try {
    parseArguments(args, { options, operands: allowed })
  } catch (error) {
    if (!(error instanceof OnrushError)) throw error
    expect(error.code).toBe('invalid')
    return Object.fromEntries(error.errors.map(({ path, message }) => [path, message]))
  }
  return {}
}

it.each([
  [['a.ts'], { port: 7090, host: undefined, https: false }],
  [['a.ts', '--port', '80', '--host=::1', '--https'], { port: 80, host: '::1', https: true }],
  [['-p80', '-s', 'a.ts'], { port: 80, host: undefined, https: true }],
  [['-sp', '80', 'a.ts'], { port: 80, host: undefined, https: true }],
  [['--host', '-1', 'a.ts'], { port: 7090, host: '-1', https: false }],
  [['--host=--https', 'a.ts'], { port: 7090, host: '--https', https: false }],
])('reads %j', (args, expected) => {
  expect(parseArguments(args, { options, operands })).toEqual({ options: expected, words: ['a.ts'] })
})

it('takes everything after -- as words', () => {
  expect(parseArguments(['--', '--port'], { options, operands }).words).toEqual(['--port'])
})

it('reports every fault at once, with the nearest flag', () => {
  expect(faults(['--prot', '80', '--https=yes', '-x', '--host', '--https', '--port', '70000'])).toEqual({
    '--prot': 'no such flag; did you mean "--port"?',
    '--https': 'takes no value, got "yes"; write --https alone',
    '-x': 'no such flag; known are -p, -s, -h',
    '--host': 'expected a value, got the flag --https; a value that begins with - is written --host=--https',
    '--port': 'expected a whole number from 0 to 65535, got "70000"',
  })
})

it('knows what a flag of another tool is called here', () => {
  const elsewhere = { '-d': '-p, the port' }
  expect(() => parseArguments(['-d', '80', '-x'], { options, operands, elsewhere })).toThrow(
    expect.objectContaining({
      errors: [
        { path: '-d', message: 'no such flag; here it is -p, the port' },
        { path: '-x', message: 'no such flag; known are -p, -s, -h' },
      ],
    }),
  )
})

it.each([
  [['a.ts', '--port'], '--port', 'expected a value: --port <port>'],
  [['a.ts', '--port', '1', '-p', '2'], '--port', 'given 2 times, expected once'],
  [['a.ts', '--port', '1.5'], '--port', 'expected a whole number'],
  [['a.ts', '--host', ''], '--host', 'got an empty one'],
  [['a.ts', 'b.ts'], 'b.ts', 'one word too many'],
  [[], '<simulation>', 'expected a simulation, got nothing'],
])('says what is wrong with %j', (args, path, message) => {
  expect(faults(args)[path]).toContain(message)
})

it('knows operands that may be left out, and ones that take the rest', () => {
  const many: Operand[] = [{ name: 'path', summary: 'a path', optional: true, many: true }]
  expect(faults([], many)).toEqual({})
  expect(faults(['a', 'b', 'c'], many)).toEqual({})
  expect(faults(['a'], [])).toEqual({ a: 'this command takes no such word; leave it out' })
})

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseTokens } from '@onrush/web/token-file'
import { tokensOf } from '@onrush/web/tokens'
import { describe, expect, test } from 'vitest'
import { cli, folderWith } from './support/cli.ts'

describe('onrush token new', () => {
  test('shows a token once and the line that proves it, which a service understands', async () => {
    const { code, out, err } = await cli(['token', 'new', 'ada', '--role', 'operator'])
    expect(code).toBe(0)
    const token = out.trim()
    expect(token).toMatch(/^onr_[\w-]{43}$/)
    const line = /^ada operator sha256:\S+$/m.exec(err)?.[0] ?? ''
    expect(err).not.toContain(token)
    const tokens = tokensOf({ named: () => parseTokens(line, 'tokens') })
    expect(tokens.holderOf(token)).toEqual({ name: 'ada', role: 'operator' })
  })

  test('adds its line to a file that nobody else reads', async () => {
    const cwd = await folderWith()
    const first = await cli(['token', 'new', 'ada', '--file', 'tokens'], { cwd })
    const second = await cli(['token', 'new', 'bob', '--file', 'tokens', '--expires', '2999-01-31'], { cwd })
    const file = join(cwd, 'tokens')
    const known = parseTokens(await readFile(file, 'utf8'), file)
    expect(known.map(({ name, role, expires }) => [name, role, expires])).toEqual([
      ['ada', 'viewer', undefined],
      ['bob', 'viewer', Date.parse('2999-01-31')],
    ])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const tokens = tokensOf({ named: () => known })
    expect([first, second].map(({ out }) => tokens.holderOf(out.trim())?.name)).toEqual(['ada', 'bob'])
  })

  test.each([
    [['token', 'old', 'ada'], 'expected the word "new"'],
    [['token', 'new', 'a b'], 'expected letters'],
    [['token', 'new', 'ada', '--role', 'admin'], 'expected "viewer" or "operator"'],
    [['token', 'new', 'ada', '--expires', '2001-01-01'], 'expected a date to come'],
  ])('%j is refused', async (args, why) => {
    const { code, out, err } = await cli(args)
    expect([code, out]).toEqual([104, ''])
    expect(err).toContain(why)
  })
})

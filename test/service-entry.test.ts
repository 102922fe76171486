import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'

async function begin(role: string, env: Record<string, string>) {
  const main = resolve(import.meta.dirname, `../services/${role}/src/main.ts`)
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, ONRUSH_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[code], out, err] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  return { code: Number(code), out, err }
}

describe.each(['reporter', 'worker'])('a %s that cannot begin', role => {
  test('tells all that is wrong with its settings, and ends with the code for it', async () => {
    const { code, out, err } = await begin(role, { ONRUSH_PORT: 'x', ONRUSH_ID: 'A B', ONRUSH_TARGET: 'localhost' })
    expect([code, out]).toEqual([104, ''])
    expect(err).toContain(`onrush ${role}: the environment has 3 problems`)
    for (const name of ['ONRUSH_PORT', 'ONRUSH_ID', 'ONRUSH_TARGETS']) expect(err).toContain(name)
    expect(err).not.toMatch(/^\s+at /m)
  })

  test('says that Redis is not there', async () => {
    const { code, out, err } = await begin(role, { REDIS_URL: 'redis://user:hunter2@127.0.0.1:1' })
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(`onrush ${role}: Redis at redis://…@127.0.0.1:1 cannot be reached`)
    expect(err).not.toContain('hunter2')
  })
})

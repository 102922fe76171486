import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { targetRules } from '@onrush/protocol/targets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gitPull } from './git-pull.ts'
import { routeTo } from './git-target.ts'

const listed = (...patterns: string[]) => targetRules(patterns, true)
const checkout = mkdtempSync(join(tmpdir(), 'onrush-git-'))
const git = (...args: string[]) => execFileSync('git', args, { cwd: checkout, stdio: 'pipe' })

let port = 0
const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(`${request.headers.host} ${request.url}`)
  if (request.url?.startsWith('/away/') === true) {
    response.writeHead(302, { location: `http://127.0.0.2:${port}${request.url.replace('/away', '/there')}` }).end()
  } else response.writeHead(404).end()
})

beforeAll(async () => {
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  const bound = server.address()
  port = typeof bound === 'object' && bound !== null ? bound.port : 0
  git('init', '-q', '-b', 'main')
  git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '--allow-empty', '-m', 'first')
})
afterAll(() => void server.close())

const pull = (remote: string, targets = listed('127.0.0.1')) => gitPull(checkout, { remote, branch: 'main', targets })

describe('a remote that is not allowed gets no request', () => {
  it.each([
    () => `http://127.0.0.2:${port}/a.git`,
    () => `http://2130706434:${port}/a.git`,
    () => `http://[::ffff:127.0.0.2]:${port}/a.git`,
    () => `ssh://git@127.0.0.2:${port}/a.git`,
    () => 'git@127.0.0.2:a.git',
    () => `git://127.0.0.1:${port}/a.git`,
    () => 'http://169.254.169.254/a.git',
  ])('%s', async remote => {
    asked.length = 0
    await expect(pull(remote())).rejects.toMatchObject({ code: 'target_refused' })
    expect(asked).toEqual([])
  })

  it('not by a redirect either', async () => {
    asked.length = 0
    await expect(pull(`http://127.0.0.1:${port}/away/a.git`)).rejects.toThrow('cannot be fetched')
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.every(each => each.includes('/away/'))).toBe(true)
  })

  it('by the name of a remote, as git rewrites it', async () => {
    git('config', 'url.http://127.0.0.2/.insteadOf', 'short:')
    git('remote', 'add', 'other', 'short:a.git')
    await expect(pull('other')).rejects.toMatchObject({ code: 'target_refused' })
  })
})

it('an allowed remote is asked, at the address that was judged, without a proxy', async () => {
  asked.length = 0
  git('config', 'http.proxy', 'http://127.0.0.2:9')
  await expect(pull(`http://127.0.0.1:${port}/a.git`)).rejects.toThrow('cannot be fetched')
  expect(asked[0]).toContain(`127.0.0.1:${port} /a.git/info/refs`)
  const route = await routeTo(`http://localhost:${port}/a.git`, listed('localhost'))
  expect(route.args).toContain(`http.curloptResolve=localhost:${port}:${route.args[1]?.split(`:${port}:`)[1]}`)
  expect((await routeTo('git@localhost:a.git', listed('localhost'))).ssh).toContain('HostKeyAlias=localhost')
})

it('what lies on this machine is no target, and on loopback all remotes are but those of clouds', async () => {
  expect(await routeTo('/srv/simulations.git', listed('shop.test'))).toEqual({ args: [], ssh: [] })
  expect(await routeTo('git@github.com:a/b.git', { kind: 'open' })).toEqual({ args: [], ssh: [] })
  await expect(routeTo('http://169.254.169.254/a', { kind: 'open' })).rejects.toMatchObject({ code: 'target_refused' })
  await expect(routeTo('https://github.com/a/b', { kind: 'closed' })).rejects.toMatchObject({ code: 'target_refused' })
  for (const odd of ['-oProxyCommand=x@h:p', 'ssh://-oProxyCommand=x/y', 'https://a b/', 'ext::sh -c x']) {
    await expect(routeTo(odd, listed('*')), odd).rejects.toThrow()
  }
})

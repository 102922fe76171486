import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { createTarget } from './target.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))

let children: ChildProcess[] = []
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children = []
})

function start(...args: string[]) {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  const output = { out: '', err: '' }
  child.stdout.on('data', chunk => {
    output.out += chunk
  })
  child.stderr.on('data', chunk => {
    output.err += chunk
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...output }))
  const url = async () => {
    await expect.poll(() => output.out).toContain('\n')
    return /^demo target on (https?:\/\/\S+:\d+)\n/.exec(output.out)?.[1] ?? `no address in ${output.out}`
  }
  return { child, ended, url, output }
}

describe('the process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('says where it is and what to try, and ends cleanly on %s', async signal => {
    const { child, ended, url, output } = start('--port', '0')
    const address = await url()
    expect((await fetch(`${address}/json`)).status).toBe(200)
    for (const line of [`curl ${address}/json`, `./onrush quick ${address}/json`])
      await expect.poll(() => output.out).toContain(line)
    expect(output.out).toMatch(/^demo target on .*\ngrpc on 127\.0\.0\.1:\d+\n/)
    // Neither an idle connection nor a request that never ends may keep it.
    const hanging = fetch(`${address}/hang`)
    const refused = expect(hanging).rejects.toThrow()
    await expect.poll(async () => (await fetch(`${address}/stats`)).text()).toContain('"inFlight":1')
    child.kill(signal)
    expect(await ended).toMatchObject({ code: 0, signal: null, err: '' })
    await refused
  })

  it('starts with --https', async () => {
    const { child, ended, url, output } = start('--port', '0', '--https')
    expect(await url()).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    await expect.poll(() => output.out).toContain('curl -k https:')
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0 })
  })

  it('GET /freeze stops everything for that long, and then all is answered', async () => {
    const { url } = start('--port', '0')
    const address = await url()
    const began = performance.now()
    expect((await fetch(`${address}/freeze?ms=300`)).status).toBe(202)
    const [known, fresh] = await Promise.all([fetch(`${address}/json`), fetch(`${address}/items`)])
    // Not a limit on speed: an answer that came sooner would prove that it was not frozen.
    expect(performance.now() - began).toBeGreaterThanOrEqual(299)
    expect([known.status, fresh.status]).toEqual([200, 200])
    expect((await fetch(`${address}/freeze?ms=60001`)).status).toBe(400)
  })

  it('says in one line what is wrong with its flags', async () => {
    expect(await start('--port', 'many').ended).toEqual({
      code: 104,
      signal: null,
      out: '',
      err: 'onrush demo-target: --port: expected a port from 0 to 65535, such as --port 7090, got "many"\n',
    })
  })

  it('says in one line that its port is taken', async () => {
    const target = await createTarget()
    const { port } = new URL(target.url)
    expect(await start('--port', port).ended).toMatchObject({
      code: 1,
      err: `onrush demo-target: port ${port} on 127.0.0.1 is in use; choose another with --port, or --port 0 for any free one\n`,
    })
    await target.close()
  })

  it('explains itself', async () => {
    const { code, out } = await start('--help').ended
    expect(code).toBe(0)
    for (const flag of ['--port', '--grpc-port', '--https', '--host']) expect(out).toContain(flag)
  })
})

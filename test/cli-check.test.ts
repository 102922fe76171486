import { type DemoTarget, startDemoTarget } from '@onrush/servers/demo-target'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cli, folderWith } from './support/cli.ts'

let target: DemoTarget
beforeAll(async () => {
  target = await startDemoTarget()
})
afterAll(() => target.stop())

const script = (steps: string, more = '') => `import { http, pause, scenario, simulation, step, secret } from 'onrush'
export default simulation({
  environments: { local: { shop: '${target.url}', key: secret('hush-hush') } },
  http: { baseUrl: '{{$._env.shop}}' },
  ${more}
  scenarios: [scenario('buyer', { imports: { who: 'ada' }, steps: [${steps}] })],
})
`
const login = `http.post('log in', '/login', { headers: { 'x-key': '{{$._env.key}}' }, body: { user: '{{$._s.who}}', password: 'secret' }, assert: { '$.status': 200, '$.entity.user': 'ada' }, export: { token: '$.entity.token' } })`

describe('a simulation that is right', () => {
  it('is shown as one session with requests, responses, assertions and exports, its secrets masked', async () => {
    const folder = await folderWith({
      'shop.ts': script(
        `${login}, pause('10m'), http.get('item', '/items/7', { headers: { authorization: 'Bearer {{$._s.token}}' } })`,
      ),
    })
    const { code, out, err } = await cli(['check', 'shop.ts'], { cwd: folder })
    expect(code, err).toBe(0)
    expect(out).toContain('shop.ts is valid: 1 scenario, 2 steps\n')
    expect(out).toContain('scenario buyer\n  who = "ada"\n')
    expect(out).toContain(`> POST ${target.url}/login\n`)
    expect(out).toContain('  > x-key: ***\n')
    expect(out).toMatch(/ {2}< 200 {2}in .*first byte after/)
    expect(out).toContain('  ✓ $.status $eq 200\n')
    expect(out).toMatch(/ {2}→ \$\._s\.token = \S+/)
    expect(out).toContain('pause')
    expect(out).toContain(`> GET ${target.url}/items/7\n`)
    expect(out).toMatch(/✓ the session went well\n$/)
    expect(out).not.toContain('hush-hush')
    expect(out).not.toContain('\x1b')
  })

  it('is only checked with --no-run', async () => {
    await target.resetStats()
    const folder = await folderWith({ 'shop.ts': script(login) })
    const { code, out } = await cli(['check', 'shop.ts', '--no-run'], { cwd: folder })
    expect([code, out]).toEqual([0, 'shop.ts is valid: 1 scenario, 1 step\n'])
    expect((await target.stats()).seen).toBe(0)
  })

  it('has its setup run before, and its teardown after', async () => {
    await target.resetStats()
    const more = `setup: async session => { await session.http.get('before', '/json?setup'); return { page: 3 } },
  teardown: async session => { await session.http.get('after', '/json?teardown') },`
    const folder = await folderWith({ 'shop.ts': script(`http.get('items', '/items?page={{$._g.setup.page}}')`, more) })
    const { code, out, err } = await cli(['check', 'shop.ts'], { cwd: folder })
    expect(code, err).toBe(0)
    expect(out).toContain('/items?page=3\n')
    expect((await target.stats()).responses).toMatchObject({ 'GET /json 200': 2 })
  })
})

describe('the exit code', () => {
  it('is 99 when an assertion failed', async () => {
    const folder = await folderWith({ 'shop.ts': script(`http.get('json', '/json', { assert: { '$.status': 201 } })`) })
    const { code, out } = await cli(['check', 'shop.ts'], { cwd: folder })
    expect(out).toContain('✗ $.status $eq 201: expected 201, got 200')
    expect(out).toContain('✗ the session failed')
    expect(code).toBe(99)
  })
  it('is 1 when the target is not there', async () => {
    const folder = await folderWith({ 'shop.ts': script(`http.get('json', 'http://127.0.0.1:9/')`) })
    const { code, out } = await cli(['check', 'shop.ts'], { cwd: folder })
    expect(out).toContain('✗ refused')
    expect(code).toBe(1)
  })
  it('is 107 when a step of code throws', async () => {
    const folder = await folderWith({ 'shop.ts': script(`step('code', () => { throw new Error('on purpose') })`) })
    const { code, out } = await cli(['check', 'shop.ts'], { cwd: folder })
    expect(out).toContain('on purpose')
    expect(code).toBe(107)
  })
  it('is 107 when the script has problems, which are printed one a line with their places', async () => {
    const folder = await folderWith({
      'shop.ts': script(`http.get('json', '/json', { asert: {} }),\n http.get('x', '/x', { timeout: 5 })`),
    })
    const { code, out } = await cli(['check', 'shop.ts'], { cwd: folder })
    expect(code).toBe(107)
    const lines = out.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) expect(line).toMatch(/^shop\.ts:\d+:\d+ \S/)
  })
  it('is 107 with the line of the data, too', async () => {
    const folder = await folderWith({ 'shop.yaml': 'scenarios:\n  - name: a\n    stepz: []\n' })
    const { code, out } = await cli(['check', 'shop.yaml'], { cwd: folder })
    expect(code).toBe(107)
    expect(out).toMatch(/^shop\.yaml:3:\d+ .*stepz/m)
  })
  it('is 104 when there is no such file', async () => {
    const { code, err } = await cli(['check', 'none.ts'])
    expect(err).toContain('there is no simulation none.ts')
    expect(code).toBe(104)
  })
})

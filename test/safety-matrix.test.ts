import { once } from 'node:events'
import { request } from 'node:http'
import { connectRedis } from '@onrush/fleet/redis'
import { fleetSecret } from '@onrush/fleet/secret'
import type { Endpoint, Endpoints } from '@onrush/protocol/endpoint'
import { reporterEndpoints } from '@onrush/protocol/reporter-endpoints'
import { workerEndpoints } from '@onrush/protocol/worker-endpoints'
import { Sessions } from '@onrush/web/sessions'
import { Tickets } from '@onrush/web/tickets'
import { tokensOf } from '@onrush/web/tokens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FuzzedFleet, fuzzedFleet } from './support/fuzzed-fleet.ts'

const tokens = { operator: 'the-operators-own-token', viewer: 'the-viewers-own-token' }

let fleet: FuzzedFleet
let secret: string
beforeAll(async () => {
  fleet = await fuzzedFleet({ ONRUSH_TOKEN: tokens.operator, ONRUSH_VIEWER_TOKEN: tokens.viewer })
  const redis = await connectRedis(fleet.redis.url, 'request', () => undefined)
  secret = await fleetSecret(redis)
  redis.disconnect()
})
afterAll(() => fleet?.stop())

type Headers = Record<string, string>
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })

/** The status alone; a websocket that opens is 101 and closed at once. */
async function statusOf(url: string, name: string, endpoint: Endpoint, headers: Headers, query = ''): Promise<number> {
  const [method = 'GET', route = ''] = name.split(' ')
  const path = route.replaceAll(/:\w+/g, 'never-was').replace('*', 'never-was.csv')
  const isSocket = endpoint.says !== undefined
  const isJson = endpoint.body !== undefined
  const key = Buffer.from('0123456789abcdef').toString('base64')
  const socket = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': key,
    'sec-websocket-version': '13',
  }
  const sent = request(`${url}${path}${query}`, {
    method,
    agent: false,
    headers: { ...(isSocket ? socket : {}), ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers },
  })
  // Nothing that could begin anything: it is refused after all guards, by its schema.
  sent.end(isJson ? '"nothing"' : undefined)
  const [response] = await Promise.race([once(sent, 'response'), once(sent, 'upgrade')])
  response.destroy()
  sent.destroy()
  return response.statusCode
}

const acting = ['GET /api/single', 'GET /api/engine/stop']
const rank = { anyone: 0, viewer: 1, operator: 2, node: 3 }

/** What stands before a route answers 401 or 403; everything else is the route's own answer. */
const outcomeOf = (name: string, status: number): 'in' | 401 | 403 =>
  // The form's own answer to a token that is none.
  name !== 'POST /login' && (status === 401 || status === 403) ? status : status === 403 ? 403 : 'in'

const services: [string, Endpoints][] = [
  ['r1', reporterEndpoints],
  ['w1', workerEndpoints],
]

describe.each(services)('%s', (id, endpoints) => {
  const all = Object.entries<Endpoint>(endpoints)
  const acts = (name: string, { role }: Endpoint) =>
    role === 'operator' && (acting.includes(name) || !name.startsWith('GET '))
  const table = async (headers: (name: string, endpoint: Endpoint) => Headers, query = '') => {
    const { url } = fleet.service(id)
    const found: Record<string, 'in' | 401 | 403> = {}
    for (const [name, endpoint] of all)
      found[name] = outcomeOf(name, await statusOf(url, name, endpoint, headers(name, endpoint), query))
    return found
  }
  const expected = (of: (name: string, endpoint: Endpoint) => 'in' | 401 | 403) =>
    Object.fromEntries(all.map(([name, endpoint]) => [name, of(name, endpoint)]))
  const upTo = (role: 'viewer' | 'operator' | 'node') =>
    expected((_, endpoint) => (rank[endpoint.role] <= rank[role] ? 'in' : 403))
  const nobody = expected((_, { role }) => (role === 'anyone' ? 'in' : 401))

  test('without a token, and with a wrong one, only what is for anyone', async () => {
    expect(await table(() => ({}))).toEqual(nobody)
    expect(await table(() => bearer('nobody has this one'))).toEqual(nobody)
    expect(
      await table(() => ({ authorization: `Basic ${Buffer.from(`x:${tokens.operator}`).toString('base64')}` })),
    ).toEqual(nobody)
    expect(await table(() => ({ authorization: tokens.operator }))).toEqual(nobody)
  })

  test('a viewer looks, an operator acts, the fleet’s own secret opens everything', async () => {
    expect(await table(() => bearer(tokens.viewer))).toEqual(upTo('viewer'))
    expect(await table(() => bearer(tokens.operator))).toEqual(upTo('operator'))
    expect(await table(() => bearer(secret))).toEqual(upTo('node'))
  })

  test('an expired or forged ticket is worth nothing, a good one opens websockets alone', async () => {
    const known = tokensOf(tokens)
    const minuteAgo = new Tickets(secret, known, () => Date.now() - 60_000)
    const expired = minuteAgo.issue({ name: 'operator', role: 'operator' }).ticket
    expect(await table(() => ({}), `?ticket=${expired}`)).toEqual(nobody)
    const forged = new Tickets('another key', known, Date.now).issue({ name: 'operator', role: 'operator' }).ticket
    expect(await table(() => ({}), `?ticket=${forged}`)).toEqual(nobody)
    const good = () => new Tickets(secret, known, Date.now).issue({ name: 'viewer', role: 'viewer' }).ticket
    for (const [name, endpoint] of all) {
      const status = await statusOf(fleet.service(id).url, name, endpoint, {}, `?ticket=${good()}`)
      const opens = endpoint.role === 'anyone' || endpoint.says !== undefined
      expect(outcomeOf(name, status), name).toBe(opens ? 'in' : 401)
    }
  })

  test('a login reads and acts by POST, never by GET; an old or forged one is none', async () => {
    const cookie = (key: string, now = Date.now): Headers => {
      const opened = new Sessions(key, tokensOf(tokens), now).open(tokens.operator, false)
      return { cookie: opened?.cookie.split(';')[0] ?? '' }
    }
    const logged = cookie(secret)
    expect(await table(() => logged)).toEqual(
      expected((name, { role }) => (acting.includes(name) ? 401 : role === 'node' ? 403 : 'in')),
    )
    const thirteenHours = cookie(secret, () => Date.now() - 13 * 3_600_000)
    expect(await table(() => thirteenHours)).toEqual(nobody)
    const forged = cookie('another key')
    expect(await table(() => forged)).toEqual(nobody)
  })

  test.each<[string, Headers]>([
    ['cross-site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }],
    ['same-site', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'http://evil.test' }],
    ['no origin at all', { origin: 'null' }],
    ['a prefetch', { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-site': 'none' }],
  ])('from %s nothing acts and no websocket opens, whatever the token', async (_, headers) => {
    const guarded = (name: string, endpoint: Endpoint) =>
      !name.startsWith('GET ') || acts(name, endpoint) || endpoint.says !== undefined
    expect(await table(() => ({ ...bearer(tokens.operator), ...headers }))).toEqual(
      expected((name, endpoint) => (guarded(name, endpoint) || endpoint.role === 'node' ? 403 : 'in')),
    )
  })

  test('HEAD never acts, and a name that is not ours is no way in', async () => {
    const { url } = fleet.service(id)
    for (const name of acting.filter(each => each in endpoints)) {
      const [, path = ''] = name.split(' ')
      const head = await fetch(url + path, { method: 'HEAD', headers: bearer(tokens.operator) })
      expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET'])
    }
    expect(await table(() => ({ ...bearer(tokens.operator), host: 'evil.test' }))).toEqual(expected(() => 403))
  })
})

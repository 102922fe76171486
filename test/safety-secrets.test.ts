import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectRedis, type Redis } from '@onrush/fleet/redis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, Fleet, start, watch } from './support/fleet.ts'
import { witness } from './support/witness.ts'

// Each secret comes in by a way of its own, and is found nowhere but at the target.
const planted = {
  environment: 'env-secret-"q/7 u',
  header: 'header-secret-8Kd03',
  cookie: 'cookie-secret-Lw92x',
  url: 'url-secret-Zz81q',
  callback: 'callback-secret-Pp55m',
  operator: 'the-operators-own-token',
  viewer: 'the-viewers-own-token',
}
const operator = { authorization: `Bearer ${planted.operator}` }

let fleet: Fleet
let redis: Redis
beforeAll(async () => {
  fleet = await Fleet.start({
    workers: 1,
    env: { ONRUSH_TOKEN: planted.operator, ONRUSH_VIEWER_TOKEN: planted.viewer },
  })
  redis = await connectRedis(fleet.redis.url, 'request', () => undefined)
})
afterAll(async () => {
  redis?.disconnect()
  await fleet?.stop()
})

/** Everything that people or dashboards read of queues and runs; contents by their hash are what a run is made of. */
async function redisText(): Promise<string> {
  const texts: string[] = []
  for (const key of await redis.keys('*')) {
    if (/:(blob|content|secret)\b/.test(key)) continue
    const type = await redis.type(key)
    if (type === 'string') texts.push(`${key} ${await redis.get(key)}`)
    else if (type === 'hash') texts.push(`${key} ${JSON.stringify(await redis.hgetall(key))}`)
    else if (type === 'list') texts.push(`${key} ${JSON.stringify(await redis.lrange(key, 0, '-1'))}`)
    else if (type === 'zset') texts.push(`${key} ${JSON.stringify(await redis.zrange(key, 0, '-1'))}`)
    else if (type === 'set') texts.push(`${key} ${JSON.stringify(await redis.smembers(key))}`)
    else if (type === 'stream') texts.push(`${key} ${JSON.stringify(await redis.xrange(key, '-', '+'))}`)
  }
  return texts.join('\n')
}

async function filesText(folder: string): Promise<[string, string][]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return await Promise.all(
    names
      .filter(entry => entry.isFile())
      .map(async (entry): Promise<[string, string]> => {
        const path = join(entry.parentPath, entry.name)
        return [path, await readFile(path, 'latin1')]
      }),
  )
}

/** A secret as it is, and as it stands in JSON, in a URL and in base64. */
const formsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -2),
]

function leaks(where: string, text: string): string[] {
  return Object.entries(planted).flatMap(([name, secret]) => {
    const form = formsOf(secret).find(each => text.includes(each))
    if (form === undefined) return []
    const at = text.indexOf(form)
    return [`${where}: ${name}: …${text.slice(Math.max(0, at - 100), at + 60)}…`]
  })
}

test('a run leaves no secret behind: not in Redis’s jobs, logs, reports, frames, traces, messages or answers', async () => {
  const reporter = fleet.service('r1')
  const callback = await witness('127.0.0.1')
  const target = new URL(fleet.target.url)
  const request = {
    name: 'with secrets',
    simulation: {
      http: { headers: { 'X-Api-Key': planted.header } },
      environments: { test: { apiSecret: { $secret: planted.environment } } },
      scenarios: [
        {
          name: 'one',
          inject: [{ type: 'constantConcurrentUsers', users: 2, duration: '3s' }],
          steps: [
            {
              type: 'http',
              name: 'echo',
              method: 'POST',
              url: `http://ada:${planted.url}@${target.host}/echo?key={{$._env.apiSecret}}`,
              headers: { Authorization: 'Bearer {{$._env.apiSecret}}', cookie: `a=${planted.cookie}` },
              body: { password: '{{$._env.apiSecret}}', other: '{{$._env.second}}' },
              onFailure: 'continue',
            },
            {
              type: 'http',
              name: 'fails',
              method: 'POST',
              url: `http://ada:${planted.url}@${target.host}/echo?key={{$._env.second}}`,
              headers: { cookie: `a=${planted.cookie}` },
              body: { password: '{{$._env.apiSecret}}' },
              // What the target says comes into the message, and the target says what it was told.
              assert: { '$.entity': { $eq: '{{$._env.apiSecret}}' } },
              onFailure: 'continue',
            },
            { type: 'pause', for: '200ms' },
          ],
        },
      ],
    },
    environment: 'test',
    env: { second: { $secret: planted.environment } },
    verbose: true,
    callback: `http://hook:${planted.callback}@127.0.0.1:${callback.port}/hook/${planted.callback}`,
  }
  const { runId, links } = await start(reporter, '/api/simulation', request, operator)
  const ticket = await ask<{ ticket: string }>(reporter, 'POST', '/api/ticket', undefined, operator)
  const seen = watch(reporter, `${links.monitor}?ticket=${ticket.body.ticket}`)
  const job = async () => (await ask<{ status: string }>(reporter, 'GET', links.job, undefined, operator)).body.status
  // While it runs its job is active, and afterwards it is kept.
  await expect.poll(job).toBe('running')
  const during = await redisText()
  await expect.poll(job).toBe('finished')
  await seen.closed
  await expect.poll(() => callback.connections.length).toBeGreaterThan(0)
  const schedule = {
    id: 'with-secrets',
    cron: '0 3 1 1 *',
    single: {
      url: `http://ada:${planted.url}@${target.host}/json`,
      iterations: 1,
      headers: { authorization: `Bearer ${planted.header}`, cookie: planted.cookie },
      env: { second: { $secret: planted.environment } },
      callback: `http://hook:${planted.callback}@127.0.0.1/`,
    },
  }
  expect((await ask(reporter, 'POST', '/api/schedules', schedule, operator)).status).toBe(201)

  const found = [
    ...leaks('Redis while it ran', during),
    ...leaks('Redis afterwards', await redisText()),
    ...leaks('the monitor', JSON.stringify(seen.messages)),
  ]
  expect(seen.messages.some(({ type }) => type === 'trace')).toBe(true)
  for (const id of ['r1', 'w1']) {
    const service = fleet.service(id)
    found.push(...leaks(`the log of ${id}`, service.log()))
    // What a run is made of lies by its hash, in files that only the service reads.
    const files = await filesText(service.dataDir)
    expect(files.length).toBeGreaterThan(1)
    for (const [path, text] of files) {
      if (!/\/(bundles|contents|reporter-contents)\//.test(path)) found.push(...leaks(path, text))
    }
  }
  const paths = ['/api/jobs', links.job, '/api/reporters', '/api/schedules', '/api/workers', '/metrics', links.report]
  const files = ['index.html', 'report.json', 'junit.xml', 'stats.csv', 'log.ndjson'].map(
    file => `/report/${runId}/${file}`,
  )
  const queues = [
    '/queues/api/queues?activeQueue=runs&page=1&jobsPerPage=10',
    '/queues/api/queues?activeQueue=worker.w1&page=1&jobsPerPage=10',
    '/queues/api/queues?activeQueue=schedules&page=1&jobsPerPage=10',
    '/queues/api/queues?activeQueue=callbacks&page=1&jobsPerPage=10',
  ]
  for (const path of [...paths, ...files, ...queues]) {
    const answer = await fetch(reporter.url + path, { headers: operator })
    expect(answer.status, path).toBe(200)
    found.push(...leaks(path, await answer.text()))
  }
  expect(found).toEqual([])

  // And yet the target got them, and the callback came to where it should.
  const said = JSON.stringify((await ask(fleet.target, 'GET', '/stats')).body)
  expect(said).toContain('/echo')
  expect(callback.connections.map(String).join()).toContain(`POST /hook/${planted.callback}`)
  const report = await ask<{ totals: { requests: number; failed: number } }>(
    reporter,
    'GET',
    `/report/${runId}/report.json`,
    undefined,
    operator,
  )
  expect(report.body.totals.requests).toBeGreaterThan(10)
})

test('what is refused repeats no secret', async () => {
  const reporter = fleet.service('r1')
  const wrong = [
    { url: `http://ada:${planted.url}@host/`, usres: 1 },
    { url: 'http://host/', users: 1, duration: '1s', env: { '1wrong': { $secret: planted.environment } } },
    { url: 'http://host/', users: 1, duration: '1s', env: { right: { $secret: planted.environment, more: 1 } } },
    { url: 'http://host/', users: 1, duration: '1s', headers: { 'wrong name': planted.header } },
    { url: 'http://host/', users: 1, duration: '1s', callback: `ftp://hook:${planted.callback}@host/` },
  ]
  for (const body of wrong) {
    const answer = await ask(reporter, 'POST', '/api/single', body, operator)
    expect(answer.status).toBe(422)
    expect(leaks(JSON.stringify(body).slice(0, 60), JSON.stringify(answer.body))).toEqual([])
  }
  const guess = await ask(reporter, 'POST', '/api/login', { token: planted.header, more: planted.cookie })
  expect(leaks('login', JSON.stringify(guess.body))).toEqual([])
})

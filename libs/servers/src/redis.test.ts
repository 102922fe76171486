import { connect } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Redis, startRedis } from './redis.ts'
import { makeScratch, type Scratch } from './scratch.ts'

let scratch: Scratch
let redis: Redis
beforeEach(async () => {
  scratch = makeScratch('redis-test')
  redis = await startRedis({ dataDir: scratch.path })
}, 120_000)
afterEach(async () => {
  await redis.stop()
  scratch.remove()
})

/** One inline command over a bare socket: no client library is needed to see what the server does. */
function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.end(`${command}\r\nQUIT\r\n`))
    socket.setEncoding('utf8')
    socket.on('data', chunk => {
      answer += chunk
    })
    socket.on('end', () =>
      resolve(
        answer
          .replace(/\+OK\r\n$/, '')
          .replaceAll('\r\n', ' ')
          .trim(),
      ),
    )
    socket.on('error', reject)
  })
}

it('runs with the settings of redis.conf', async () => {
  expect(redis.url).toBe(`redis://127.0.0.1:${redis.port}`)
  const settings = await Promise.all(
    ['appendonly', 'appendfsync', 'maxmemory-policy', 'bind', 'save'].map(name =>
      ask(redis.port, `CONFIG GET ${name}`),
    ),
  )
  expect(settings.map(answer => answer.split(' ').slice(4).join(' '))).toEqual([
    'yes',
    'everysec',
    'noeviction',
    '127.0.0.1 -::1',
    '',
  ])
})

it('keeps what was written over a kill and a restart, on the same port', async () => {
  const before = redis.pid
  expect(await ask(redis.port, 'SET kept yes')).toBe('+OK')
  await redis.kill()
  await expect(ask(redis.port, 'PING')).rejects.toThrow('ECONNREFUSED')
  await redis.restart()
  expect(redis.pid).not.toBe(before)
  expect(await ask(redis.port, 'GET kept')).toBe('$3 yes')
})

it('refuses data that a running Redis holds, and says how to go on', async () => {
  await expect(startRedis({ dataDir: scratch.path })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`REDIS_URL=${redis.url}`),
  })
})

it('takes data over that a dead one left behind', async () => {
  await redis.kill()
  const next = await startRedis({ dataDir: scratch.path })
  expect(await ask(next.port, 'PING')).toBe('+PONG')
  await next.stop()
})

import { expect, it } from 'vitest'
import { readConfig } from './config.ts'

it('needs nothing but a Redis: on loopback it stays there', () => {
  const config = readConfig({}, '/srv')
  expect(config).toMatchObject({
    redisUrl: 'redis://127.0.0.1:6379',
    host: '127.0.0.1',
    port: 7071,
    reachable: false,
    dataDir: '/srv/.data',
    simulations: '/srv/simulations',
  })
})

it('listens for its reporters where Redis is elsewhere, guarded by the secret of the fleet', () => {
  expect(readConfig({ REDIS_URL: 'redis://redis.internal:6379' }, '/srv')).toMatchObject({
    host: '0.0.0.0',
    reachable: true,
  })
})

it('refuses to be reached by strangers where its Redis is on loopback and no token is set', () => {
  expect(() => readConfig({ ONRUSH_HOST: '0.0.0.0' }, '/srv')).toThrow('without a token')
  expect(readConfig({ ONRUSH_HOST: '0.0.0.0', ONRUSH_TOKEN: 'x'.repeat(16) }, '/srv')).toMatchObject({
    reachable: true,
    access: { token: 'x'.repeat(16), targets: { kind: 'closed' } },
  })
})

it('tells every wrong setting at once', () => {
  const wrong = {
    REDIS_URL: 'localhost',
    ONRUSH_ID: 'A B',
    ONRUSH_PORT: '-1',
    ONRUSH_THREADS: '0',
    ONRUSH_ADVERTISE: 'box',
    ONRUSH_LABLE: 'x',
  }
  expect(() => readConfig(wrong, '/srv')).toThrow(
    expect.objectContaining({
      errors: ['REDIS_URL', 'ONRUSH_ADVERTISE', 'ONRUSH_ID', 'ONRUSH_PORT', 'ONRUSH_THREADS', 'ONRUSH_LABLE'].map(
        path => expect.objectContaining({ path }),
      ),
    }),
  )
})

it('keeps its data out of the simulations, where it would be listed and served', () => {
  const place = (ONRUSH_DATA: string, ONRUSH_SIMULATIONS: string) =>
    readConfig({ ONRUSH_DATA, ONRUSH_SIMULATIONS }, '/srv')
  expect(() => place('/srv/team/fleet/w1', '/srv/team')).toThrow(
    expect.objectContaining({ code: 'invalid', errors: [expect.objectContaining({ path: 'ONRUSH_DATA' })] }),
  )
  expect(readConfig({ ONRUSH_SIMULATIONS: '.' }, '/srv')).toMatchObject({ dataDir: '/srv/.data', simulations: '/srv' })
})

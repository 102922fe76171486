import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { startMariadb } from '@onrush/servers/mariadb'
import { startPostgres } from '@onrush/servers/postgres'
import { generate } from 'selfsigned'
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { SqlBench } from '../libs/engine/src/sql/sql.testing.ts'

const common = { algorithm: 'sha256', keyType: 'ec' } as const
const authority = await generate([{ name: 'commonName', value: 'test authority' }], {
  ...common,
  extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
})
// For a name, not for the address that the same server has.
const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
  ...common,
  ca: { key: authority.private, cert: authority.cert },
  extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
})
const [postgres, mariadb] = await Promise.all([
  startPostgres({ tls: { key, cert } }),
  startMariadb({ tls: { key, cert } }),
])
afterAll(() => Promise.all([postgres.stop(), mariadb.stop()]))

const open: SqlBench[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(each => each.close()))
})

const patient = { timeout: 20_000, interval: 50 }

describe.each([
  {
    title: 'PostgreSQL',
    client: 'pg',
    url: postgres.url,
    cipher: 'select cipher from pg_stat_ssl where pid = pg_backend_pid()',
    sleep: 'select pg_sleep(30)',
    id: 'select pg_backend_pid() as id',
    kill: (id: number) => `select pg_terminate_backend(${id})`,
  },
  {
    title: 'MariaDB',
    client: 'mysql2',
    url: mariadb.url,
    cipher: "select variable_value as cipher from information_schema.session_status where variable_name = 'Ssl_cipher'",
    sleep: 'select sleep(30)',
    id: 'select connection_id() as id',
    kill: (id: number) => `kill ${id}`,
  },
])('$title over TLS', ({ client, url, cipher, sleep, id, kill }) => {
  function bench(sslmode: string, host = '127.0.0.1') {
    const made = new SqlBench({
      client,
      connection: `${url.replace('@127.0.0.1:', `@${host}:`)}?sslmode=${sslmode}`,
      pool: { max: 1 },
    })
    open.push(made)
    return made
  }
  const only = async (db: SqlBench, query: string) => {
    const [row] = Array.from(Object(await db.entity(query)), each => Object(each))
    return row
  }
  const failureOf = async (db: SqlBench) => (await db.query('select 1')).outcome.failure

  test('is encrypted when asked for, with any certificate, and its bytes are counted', async () => {
    const encrypted = bench('require')
    expect((await only(encrypted, cipher)).cipher).toMatch(/^(?:TLS_|ECDHE-)/)
    const { outcome } = await encrypted.query('select 1')
    expect(outcome.bytesIn).toBeGreaterThan(0)
    expect(outcome.bytesOut).toBeGreaterThan(0)
    const plain = bench('disable')
    expect((await only(plain, cipher)).cipher || 'none').toBe('none')
  })

  test('a statement is ended, and its connection used again', async () => {
    const db = bench('require')
    const before = await only(db, id)
    const cut = await db.query(sleep, [], { timeout: '200ms' })
    expect(cut.outcome.failure?.kind).toBe('timeout_total')
    expect(await only(db, id)).toEqual(before)
  })

  test('a connection that the server ends is replaced', async () => {
    const db = bench('require')
    const before = await only(db, id)
    await bench('disable').query(kill(before.id))
    await vi.waitFor(async () => expect(await only(db, id)).not.toEqual(before), patient)
  })

  test('verified, it refuses a certificate that nobody signed', async () => {
    expect(await failureOf(bench('verify-full', 'localhost'))).toMatchObject({ kind: 'tls' })
  })

  test('verified, it takes a certificate of an authority that is known, for that very name', async () => {
    const known = getCACertificates('default')
    onTestFinished(() => setDefaultCACertificates(known))
    setDefaultCACertificates([...known, authority.cert])
    const named = bench('verify-full', 'localhost')
    expect((await only(named, cipher)).cipher).toMatch(/^(?:TLS_|ECDHE-)/)
    expect(await failureOf(bench('verify-full'))).toMatchObject({
      kind: 'tls',
      message: expect.stringContaining("127.0.0.1 is not in the cert's list"),
    })
  })
})

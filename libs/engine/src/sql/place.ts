import { existsSync } from 'node:fs'
import type { SqlConnection } from '@onrush/protocol/sql-step'

export interface ServerPlace {
  readonly kind: 'server'
  readonly client: 'pg' | 'mysql2'
  readonly host: string
  readonly port: number
  /** A Unix socket: PostgreSQL's directory, MariaDB's file. */
  readonly socket: string | undefined
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: string | undefined
  readonly tls: 'off' | 'unverified' | 'verified'
}

export interface FilePlace {
  readonly kind: 'file'
  readonly client: 'better-sqlite3'
  readonly filename: string
}

export type Place = ServerPlace | FilePlace

const schemes = { pg: ['postgres:', 'postgresql:'], mysql2: ['mysql:', 'mariadb:'] }
const examples = {
  pg: 'postgres://user:password@host:5432/database',
  mysql2: 'mysql://user:password@host:3306/database',
}
const ports = { pg: 5432, mysql2: 3306 }
const tlsModes = {
  disable: 'off',
  require: 'unverified',
  'no-verify': 'unverified',
  'verify-ca': 'verified',
  'verify-full': 'verified',
} as const

type Tell = (message: string) => void

/** Reads where a database is. The text holds a password, so no message repeats it. */
export function readPlace(client: SqlConnection['client'], connection: string, tell: Tell): Place | undefined {
  if (client === 'better-sqlite3') return readFilePlace(connection, tell)
  const url = URL.parse(connection)
  if (url === null || !schemes[client].includes(url.protocol)) {
    tell(`expected a URL like ${examples[client]}, got ${url === null ? 'something else' : `one of ${url.protocol}`}`)
    return undefined
  }
  const socketField = client === 'pg' ? 'host' : 'socketPath'
  let tls: ServerPlace['tls'] = 'off'
  let socket: string | undefined
  for (const [name, value] of url.searchParams) {
    if (name === 'sslmode' && isTlsMode(value)) tls = tlsModes[value]
    else if (name === 'sslmode') tell(`sslmode: expected one of ${Object.keys(tlsModes).join(', ')}`)
    else if (name === socketField && value.startsWith('/')) socket = value
    else tell(`expected only sslmode and ${socketField} (the path of a Unix socket) after "?", got another: "${name}"`)
  }
  return {
    kind: 'server',
    client,
    // An IPv6 address stands in brackets in a URL and nowhere else.
    host: url.hostname.replace(/^\[|\]$/g, '') || '127.0.0.1',
    port: url.port === '' ? ports[client] : Number(url.port),
    socket,
    user: decoded(url.username),
    password: decoded(url.password),
    database: decoded(url.pathname.slice(1)),
    tls,
  }
}

function readFilePlace(filename: string, tell: Tell): FilePlace | undefined {
  // SQLite makes a file that is missing, and a mistyped name would show as "no such table" only.
  if (filename !== ':memory:' && !existsSync(filename)) {
    tell(`expected a SQLite file that exists, or ":memory:"; there is no file "${filename}"`)
    return undefined
  }
  return { kind: 'file', client: 'better-sqlite3', filename }
}

const isTlsMode = (text: string): text is keyof typeof tlsModes => Object.hasOwn(tlsModes, text)

function decoded(part: string): string | undefined {
  if (part === '') return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    // A lone percent sign: people paste passwords as they are.
    return part
  }
}

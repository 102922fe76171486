import type { ErrorKind } from '../error-kind.ts'
import { ExchangeError, type Stage, toFailure } from '../http/failure.ts'

export interface SqlFailure {
  readonly kind: ErrorKind
  readonly message: string
  /** The database's own code, when it was the database that said no. */
  readonly code: string | undefined
}

/** What an error of a driver is. A code of the database's own is its kind. */
export function toSqlFailure(error: unknown, stage: Stage): SqlFailure {
  const code = codeOf(error)
  if (code !== undefined && error instanceof Error) return { kind: `sql:${code}`, message: error.message, code }
  if (error instanceof Error && !(error instanceof ExchangeError)) {
    // Drivers say these by message or by codes of their own.
    if (error.message === 'timeout expired') return connectTimeout
    if (/^Connection terminated/.test(error.message)) return { kind: 'reset', message: error.message, code: undefined }
    if (/does not support (?:SSL|secure)|establishing an SSL/i.test(error.message)) {
      return { kind: 'tls', message: error.message, code: undefined }
    }
    const own = 'code' in error && typeof error.code === 'string' ? error.code : ''
    if (own === 'PROTOCOL_CONNECTION_LOST') return { kind: 'reset', message: error.message, code: undefined }
    if (own === 'HANDSHAKE_SSL_ERROR') return { kind: 'tls', message: error.message, code: undefined }
    // What a value cannot be written as: nothing was sent.
    if (error instanceof TypeError || error instanceof RangeError) {
      return { kind: 'render', message: error.message, code: undefined }
    }
  }
  const { kind, message } = toFailure(error, stage)
  return { kind, message, code: undefined }
}

/** How long a new connection may take, name, handshakes and login included. */
export const connectMs = 10_000

const connectTimeout: SqlFailure = {
  kind: 'timeout_connect',
  message: `no connection within ${connectMs} ms`,
  code: undefined,
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  const { code } = error
  // PostgreSQL's errors have a severity, MariaDB's an SQL state, SQLite's a name of their own.
  if ('severity' in error && /^[0-9A-Z]{5}$/.test(code)) return code
  if ('sqlState' in error && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) && error.sqlState !== undefined) return code
  if (error.name === 'SqliteError') return code
  return undefined
}

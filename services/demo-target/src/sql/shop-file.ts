import { existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { OnrushError } from '@onrush/protocol/error'
import type Sqlite from 'better-sqlite3'
import { itemCount, itemOf } from '../catalog.ts'

/** "onru": what SQLite keeps in a file for the program that it belongs to. */
const ours = 0x6f6e7275
const userCount = 100

const tables = `
  create table items (id integer primary key, name text not null, price numeric not null, stock integer not null);
  create table users (name text primary key, password text not null, active boolean not null, since datetime not null);
  create table orders (
    id integer primary key autoincrement,
    user text not null references users (name),
    item integer not null references items (id),
    quantity integer not null check (quantity between 1 and 100),
    total numeric not null,
    at datetime not null default current_timestamp
  );
`

/**
 * Makes the shop as a SQLite file: the items that the routes have, users, and no orders. The same each time; one that an
 * earlier start made is replaced. Answers the file's whole name.
 */
export async function createShopFile(name: string): Promise<string> {
  const file = resolve(name)
  const { default: open } = await import('better-sqlite3')
  if (existsSync(file)) refuseForeign(file, () => open(file, { readonly: true }))
  for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
  try {
    const database = open(file)
    // Readers and a writer at once: many threads work on one file.
    database.pragma('journal_mode = WAL')
    database.pragma(`application_id = ${ours}`)
    database.exec(tables)
    database.transaction(fill)(database)
    database.close()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new OnrushError('invalid', `--sqlite: cannot make ${file}: ${message}`, { cause })
  }
  return file
}

function fill(database: Sqlite.Database): void {
  const item = database.prepare('insert into items values (?, ?, ?, ?)')
  for (let id = 1; id <= itemCount; id++) {
    const { name, price, stock } = itemOf(id)
    item.run(id, name, price, stock)
  }
  const user = database.prepare("insert into users values (?, 'secret', ?, ?)")
  for (let n = 1; n <= userCount; n++) {
    const since = new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 19).replace('T', ' ')
    user.run(`user-${n}`, n % 10 === 0 ? 0 : 1, since)
  }
}

function refuseForeign(file: string, open: () => Sqlite.Database): void {
  let owner: unknown
  try {
    const database = open()
    owner = database.pragma('application_id', { simple: true })
    database.close()
  } catch {
    // No SQLite file: not ours in any case.
    owner = undefined
  }
  if (owner !== ours) {
    throw new OnrushError('invalid', `--sqlite: ${file} exists and is no shop of an earlier start; name another file`)
  }
}

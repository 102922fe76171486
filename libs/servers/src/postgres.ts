import { randomBytes } from 'node:crypto'
import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from './child.ts'
import { onFreePort } from './free-port.ts'
import { type Machine, type Say, thisMachine } from './machine.ts'
import type { Program } from './program.ts'
import { requireProgram } from './require-program.ts'
import { runTool } from './run-tool.ts'
import { makeScratch } from './scratch.ts'
import type { SqlServer } from './sql-server.ts'
import { type ServerTls, writeTlsFiles } from './tls-files.ts'
import { unprivilegedUser } from './user.ts'

// Fedora and Alpine have what a server may preload in a package of its own; Debian and Homebrew have it in this one.
const packages = {
  apt: 'postgresql',
  dnf: 'postgresql-server postgresql-contrib',
  apk: 'postgresql postgresql-contrib',
  brew: 'postgresql',
}

// Debian keeps several versions side by side, off PATH; the last is the newest. Looked up late: it may be installed just now.
function program(name: string): Program {
  return {
    title: 'PostgreSQL',
    names: [name],
    packages,
    get directories() {
      return globSync('/usr/lib/postgresql/*/bin').sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    },
  }
}

/** A PostgreSQL of our own with an empty database, on a free loopback port, gone without a trace after `stop`. */
export async function startPostgres({
  say = () => {},
  machine = thisMachine,
  tls,
  preload = [],
}: {
  say?: Say
  machine?: Machine
  tls?: ServerTls
  /** Libraries that a server takes at its start only. */
  preload?: readonly string[]
} = {}): Promise<SqlServer> {
  const server = await requireProgram(program('postgres'), machine, say)
  const initdb = await requireProgram(program('initdb'), machine, say)
  const user = unprivilegedUser('postgres', machine)
  const scratch = makeScratch('postgres', user)
  try {
    const data = join(scratch.path, 'data')
    const passwordFile = join(scratch.path, 'password')
    const password = randomBytes(12).toString('hex')
    writeFileSync(passwordFile, password)
    await runTool(
      'initdb',
      initdb,
      [
        '-D',
        data,
        '-U',
        'onrush',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '-E',
        'UTF8',
        '--locale=C',
        '--no-sync',
      ],
      { cwd: scratch.path, user },
    )
    const files = tls && writeTlsFiles(scratch, tls, user)
    // Throwaway data: nothing is worth waiting for a disk.
    const settings = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'fsync=off',
      'synchronous_commit=off',
      'full_page_writes=off',
      `shared_preload_libraries=${preload.join(',')}`,
      ...(files === undefined ? [] : ['ssl=on', `ssl_key_file=${files.key}`, `ssl_cert_file=${files.cert}`]),
    ]
    return await onFreePort(async port => {
      const child = await startChild({
        title: 'PostgreSQL',
        command: server,
        args: ['-D', data, '-p', `${port}`, ...settings.flatMap(setting => ['-c', setting])],
        cwd: scratch.path,
        user,
        ready: /database system is ready to accept connections/,
        // "Fast": ends sessions instead of waiting for them.
        stopSignal: 'SIGINT',
      })
      return {
        url: `postgres://onrush:${password}@127.0.0.1:${port}/postgres`,
        host: '127.0.0.1',
        port,
        user: 'onrush',
        password,
        database: 'postgres',
        pid: child.pid,
        async stop() {
          await child.stop()
          scratch.remove()
        },
      }
    })
  } catch (error) {
    scratch.remove()
    throw error
  }
}

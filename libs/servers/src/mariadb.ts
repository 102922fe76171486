import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
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

const packages = { apt: 'mariadb-server', dnf: 'mariadb-server', apk: 'mariadb', brew: 'mariadb' }

const serverProgram: Program = {
  title: 'MariaDB',
  names: ['mariadbd', 'mysqld'],
  packages,
  directories: ['/usr/libexec'],
}
const installProgram: Program = { title: 'MariaDB', names: ['mariadb-install-db'], packages }

/** A MariaDB of our own with an empty database, on a free loopback port, gone without a trace after `stop`. */
export async function startMariadb({
  say = () => {},
  machine = thisMachine,
  tls,
}: {
  say?: Say
  machine?: Machine
  tls?: ServerTls
} = {}): Promise<SqlServer> {
  const install = await requireProgram(installProgram, machine, say)
  const server = await requireProgram(serverProgram, machine, say)
  const user = unprivilegedUser('mysql', machine)
  const scratch = makeScratch('mariadb', user)
  try {
    const data = join(scratch.path, 'data')
    await runTool(
      'mariadb-install-db',
      install,
      ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db'],
      { cwd: scratch.path, user },
    )
    const password = randomBytes(12).toString('hex')
    const init = join(scratch.path, 'init.sql')
    // One statement a line: that is how the server reads this file.
    writeFileSync(
      init,
      [
        'CREATE DATABASE onrush CHARACTER SET utf8mb4;',
        `CREATE USER 'onrush'@'%' IDENTIFIED BY '${password}';`,
        "GRANT ALL ON *.* TO 'onrush'@'%';",
        `ALTER USER 'root'@'localhost' IDENTIFIED BY '${password}';`,
        '',
      ].join('\n'),
    )
    const files = tls && writeTlsFiles(scratch, tls, user)
    return await onFreePort(async port => {
      const child = await startChild({
        title: 'MariaDB',
        command: server,
        args: [
          '--no-defaults',
          `--datadir=${data}`,
          `--port=${port}`,
          '--bind-address=127.0.0.1',
          `--socket=${join(scratch.path, 's')}`,
          `--init-file=${init}`,
          '--innodb-flush-log-at-trx-commit=0',
          '--skip-name-resolve',
          ...(files === undefined ? [] : [`--ssl-key=${files.key}`, `--ssl-cert=${files.cert}`]),
        ],
        cwd: scratch.path,
        user,
        ready: /ready for connections/,
      })
      return {
        url: `mysql://onrush:${password}@127.0.0.1:${port}/onrush`,
        host: '127.0.0.1',
        port,
        user: 'onrush',
        password,
        database: 'onrush',
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

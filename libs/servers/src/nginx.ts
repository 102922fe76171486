import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from './child.ts'
import { onFreePort } from './free-port.ts'
import { type Machine, type Say, thisMachine } from './machine.ts'
import type { Program } from './program.ts'
import { requireProgram } from './require-program.ts'
import { makeScratch } from './scratch.ts'

const program: Program = {
  title: 'nginx',
  names: ['nginx'],
  packages: { apt: 'nginx-light', dnf: 'nginx', apk: 'nginx', brew: 'nginx' },
}

export interface Nginx {
  readonly url: string
  readonly port: number
  readonly pid: number
  stop(): Promise<void>
}

interface NginxOptions {
  /** What every path answers, as application/json. */
  readonly body?: string
  readonly say?: Say
  readonly machine?: Machine
}

function settings(directory: string, port: number, body: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    kind => `${kind}_temp_path ${join(directory, kind)};`,
  )
  return `
daemon off;
# One process that does the work, so that it compares with one core of anything else.
master_process off;
pid ${join(directory, 'pid')};
error_log stderr notice;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 1000000000;
  ${temporary.join('\n  ')}
  server {
    listen 127.0.0.1:${port} backlog=4096;
    default_type application/json;
    location / { return 200 '${body.replaceAll(/[\\']/g, '\\$&')}'; }
  }
}
`
}

/** An nginx that answers everything with the same small body: the yardstick of the benchmarks. */
export async function startNginx({
  body = '{"ok":true}',
  say = () => {},
  machine = thisMachine,
}: NginxOptions = {}): Promise<Nginx> {
  // nginx would put variables into the body, and knows no way to write a dollar sign.
  if (body.includes('$')) throw new RangeError('nginx cannot answer a body with a $ in it')
  const command = await requireProgram(program, machine, say)
  const scratch = makeScratch('nginx')
  try {
    return await onFreePort(async port => {
      const file = join(scratch.path, 'nginx.conf')
      writeFileSync(file, settings(scratch.path, port, body))
      const child = await startChild({
        title: 'nginx',
        command,
        args: ['-e', 'stderr', '-p', scratch.path, '-c', file],
        // Written after the port is open.
        ready: /built by|OS: /,
      })
      return {
        url: `http://127.0.0.1:${port}`,
        port,
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

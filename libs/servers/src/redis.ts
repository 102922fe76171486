import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Child, startChild } from './child.ts'
import { claimData } from './data-claim.ts'
import { onFreePort } from './free-port.ts'
import { type Machine, type Say, thisMachine } from './machine.ts'
import type { Program } from './program.ts'
import { requireProgram } from './require-program.ts'

export const redisProgram: Program = {
  title: 'Redis',
  names: ['redis-server', 'valkey-server'],
  packages: { apt: 'redis-server', dnf: 'valkey', apk: 'redis', brew: 'redis' },
}

const settings = resolve(import.meta.dirname, '../../../redis.conf')

export interface Redis {
  readonly url: string
  readonly port: number
  /** Of the running process; another one after a restart. */
  readonly pid: number
  stop(): Promise<void>
  /** As a crash would: no last words, the append-only file as it is. */
  kill(): Promise<void>
  /** Starts it again on the same port and data, ending it first if it still runs. */
  restart(): Promise<void>
}

interface RedisOptions {
  /** Where the append-only file lies; made when missing. */
  readonly dataDir: string
  readonly say?: Say
  readonly machine?: Machine
}

/** A Redis of our own with the settings of redis.conf, on a free loopback port; it ends with us. */
export async function startRedis({ dataDir, say = () => {}, machine = thisMachine }: RedisOptions): Promise<Redis> {
  const directory = resolve(dataDir)
  const command = await requireProgram(redisProgram, machine, say)
  mkdirSync(directory, { recursive: true })
  return await onFreePort(port => startOn(port, directory, command))
}

async function startOn(port: number, directory: string, command: string): Promise<Redis> {
  const claim = await claimData(directory, port)
  const start = async () => {
    const child = await startChild({
      title: 'Redis',
      command,
      args: [settings, '--port', `${port}`, '--dir', directory],
      ready: /Ready to accept connections/i,
    })
    claim(child.pid)
    return child
  }
  let child: Child
  try {
    child = await start()
  } catch (error) {
    claim()
    throw error
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return child.pid
    },
    async stop() {
      await child.stop()
      claim()
    },
    kill: () => child.kill(),
    async restart() {
      await child.stop()
      child = await start()
    },
  }
}

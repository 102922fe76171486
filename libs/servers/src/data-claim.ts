import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OnrushError } from '@onrush/protocol/error'

interface Owner {
  readonly pid: number
  readonly port: number
}

// A Redis that is starting or ending does not answer, and its claim is good all the same.
const graceMs = 6_000

/**
 * Claims a data directory for the Redis that will listen on `port`: two of them appending to the same files would destroy
 * both. Returns a function that gives it up.
 */
export async function claimData(directory: string, port: number): Promise<(pid?: number) => void> {
  const file = join(directory, 'redis.owner')
  const deadline = Date.now() + graceMs
  while (!write(file, { pid: process.pid, port }, 'wx')) {
    const owner = read(file)
    if (owner && isAlive(owner.pid) && (await answers(owner.port))) {
      throw new OnrushError(
        'conflict',
        `the data in ${directory} is in use by a running Redis (port ${owner.port}, process ${owner.pid}). ` +
          `Use that one with REDIS_URL=redis://127.0.0.1:${owner.port}, or set ONRUSH_DATA to another directory`,
      )
    }
    // Nobody home: a number that is alive but answers on no port for this long is a stranger's, met again after a reboot.
    if (!owner || !isAlive(owner.pid) || Date.now() > deadline) rmSync(file, { force: true })
    else await sleep(200)
  }
  return pid => {
    if (pid === undefined) rmSync(file, { force: true })
    else write(file, { pid, port }, 'w')
  }
}

function write(file: string, owner: Owner, flag: 'w' | 'wx'): boolean {
  try {
    writeFileSync(file, JSON.stringify(owner), { flag })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function read(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // Gone meanwhile, or cut short by a crash while it was written: no owner in either case.
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    const settle = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => settle(true))
    socket.once('error', () => settle(false))
    socket.setTimeout(1000, () => settle(false))
  })
}

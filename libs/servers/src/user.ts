import { spawnSync } from 'node:child_process'
import type { Machine } from './machine.ts'

export interface User {
  readonly uid: number
  readonly gid: number
}

function lookUp(name: string): User | undefined {
  const [uid, gid] = ['-u', '-g'].map(flag => spawnSync('id', [flag, name], { encoding: 'utf8' }))
  if (uid?.status !== 0 || gid?.status !== 0) return undefined
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

/** Whom to run a server as that refuses to be root: its package's own user, or nobody; ourselves when we are not root. */
export function unprivilegedUser(name: string, machine: Machine): User | undefined {
  return machine.root ? (lookUp(name) ?? lookUp('nobody')) : undefined
}

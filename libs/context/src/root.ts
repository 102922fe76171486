import type { Context } from './context.ts'
import { missing } from './missing.ts'
import { createScope } from './scope.ts'

export const rootNames = ['status', 'headers', 'trailers', 'entity', '_env', '_g', '_j', '_s', '_req', 'time'] as const
export type Root = (typeof rootNames)[number]

export function isRoot(name: string): name is Root {
  return rootNames.some(root => root === name)
}

/** The value under a key of the context. A function per key, because each is then a load of one known place. */
export const readRoot: { readonly [root in Root]: (context: Context) => unknown } = {
  status: context => context.status,
  headers: context => context.headers,
  trailers: context => context.trailers,
  entity: context => context.entity,
  _env: context => context._env,
  _g: context => context._g,
  _j: context => context._j,
  _s: context => context._s,
  _req: context => context._req,
  time: context => context.time,
}

/** `$` itself: all keys that hold something, in a new map. */
export function readWhole(context: Context): unknown {
  const whole = createScope()
  for (const root of rootNames) {
    const value = readRoot[root](context)
    if (value !== undefined) whole[root] = value
  }
  return whole
}

export function orMissing(value: unknown): unknown {
  return value === undefined ? missing : value
}

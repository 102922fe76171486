import { suggest } from '@onrush/protocol/nearest'
import type { Fault } from '@onrush/protocol/problem'
import { ColumnFault, describeFault } from './column-fault.ts'
import type { Context } from './context.ts'
import { isPlain } from './inherited.ts'
import { missing } from './missing.ts'
import { type DefiniteSegment, isDefinite, type Segment } from './path-segment.ts'
import { parsePath } from './path-syntax.ts'
import { compileQuery } from './query.ts'
import { isRoot, orMissing, type Root, readRoot, readWhole, rootNames } from './root.ts'
import { readPlain, walk } from './walk.ts'

export type Path = {
  readonly text: string
  /** One place or none; otherwise it reads a list of all matches. */
  readonly definite: boolean
  /** The context's key it starts from, `''` for the whole context. */
  readonly root: Root | ''
  /** The value found, or `missing`; a path that is not definite and matches nothing is `missing` too. */
  read(context: Context): unknown
}

/** A fault says the column. The path returned beside a fault always reads `missing`. */
export function compilePath(text: string, where: string, faults: Fault[]): Path {
  try {
    return pathOf(text, parsePath(text))
  } catch (error) {
    faults.push({ path: where, message: describeFault(error, text) })
    return { text, definite: true, root: '', read: () => missing }
  }
}

/** Throws `ColumnFault`. */
export function pathOf(text: string, segments: readonly Segment[]): Path {
  const [first, ...rest] = segments
  const definite = segments.every(isDefinite)
  if (first === undefined || first.kind !== 'key') {
    const search = segments.length === 0 ? (value: unknown) => value : compileQuery(segments)
    return { text, definite, root: '', read: context => search(readWhole(context)) }
  }
  if (!isRoot(first.key)) {
    throw new ColumnFault(
      `the context has no "${first.key.slice(0, 60)}" (${suggest(first.key, rootNames)}; variables are under $._s and $._j)`,
      2,
    )
  }
  return { text, definite, root: first.key, read: compileRead(first.key, rest) }
}

function compileRead(root: Root, segments: readonly Segment[]): (context: Context) => unknown {
  if (root === 'headers' || root === 'trailers') return compileHeaderRead(root, segments)
  if (root === '_req') {
    const [first, ...rest] = lowerAfterHeaders(segments)
    return below(readRoot._req, first === undefined ? rest : [first, ...rest])
  }
  return below(readRoot[root], segments)
}

/** Definite steps are walked as far as they go; what follows the first other one is searched. */
function below(read: (context: Context) => unknown, segments: readonly Segment[]): (context: Context) => unknown {
  const cut = segments.findIndex(segment => !isDefinite(segment))
  if (cut >= 0) {
    const walked = walk(segments.slice(0, cut).filter(isDefinite))
    const search = compileQuery(segments.slice(cut))
    return context => search(walked(read(context)))
  }
  const steps: readonly DefiniteSegment[] = segments.filter(isDefinite)
  const [first] = steps
  if (first === undefined) return context => orMissing(read(context))
  if (steps.length === 1 && first.kind === 'key' && isPlain(first.key)) return compileVariableRead(read, first.key)
  const walked = walk(steps)
  return context => walked(read(context))
}

/** `$._s.token`: the reads that templates are full of, each with its own closure so that nothing is looked up twice. */
function compileVariableRead(read: (context: Context) => unknown, key: string): (context: Context) => unknown {
  if (read === readRoot._s) return context => orMissing(context._s[key])
  if (read === readRoot._j) return context => orMissing(context._j[key])
  if (read === readRoot._env) return context => orMissing(context._env[key])
  if (read === readRoot.entity) return context => readPlain(context.entity, key)
  return context => readPlain(read(context), key)
}

/** Names of header fields do not depend on case; `Status` is our own and is found as `status` as well. */
function compileHeaderRead(root: 'headers' | 'trailers', segments: readonly Segment[]): (context: Context) => unknown {
  const [first, ...rest] = segments
  if (first === undefined || first.kind !== 'key') return below(readRoot[root], segments)
  const name = first.key.toLowerCase()
  const read =
    root === 'headers' ? (context: Context) => context.header(name) : (context: Context) => context.trailers?.[name]
  return below(read, rest)
}

function lowerAfterHeaders(segments: readonly Segment[]): readonly Segment[] {
  const [first, second, ...rest] = segments
  if (first?.kind !== 'key' || first.key !== 'headers' || second?.kind !== 'key') return segments
  return [first, { kind: 'key', key: second.key.toLowerCase() }, ...rest]
}

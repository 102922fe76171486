import type { Fault } from '@onrush/protocol/problem'
import { href } from '../route.ts'

export interface Place {
  readonly file: string
  readonly line: number
}

/** Where in a script a fault lies: `team/checkout.ts:7:12`, with a path of its data behind it or not. */
export function placeOf(path: string): Place | undefined {
  const [, file, line] = /^(.+?):(\d+)(?::\d+)?(?= |$)/.exec(path) ?? []
  return file === undefined || line === undefined ? undefined : { file, line: Number(line) }
}

/** The view of a simulation's source with that line in sight. */
export function placeHref(simulation: string, path: string): string | undefined {
  const place = placeOf(path)
  if (place === undefined) return undefined
  return href(['simulations', ...simulation.split('/')], { file: place.file, line: String(place.line) })
}

/** What is wrong in one file, by its lines. */
export const faultsIn = (faults: readonly Fault[], file: string): ReadonlyMap<number, readonly Fault[]> =>
  Map.groupBy(
    faults.filter(({ path }) => placeOf(path)?.file === file),
    ({ path }) => placeOf(path)?.line ?? 0,
  )

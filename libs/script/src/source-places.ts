import { SourceMap } from 'node:module'
import { resolve } from 'node:path'
import { isAuthored } from './bundle.ts'
import type { Frame } from './first-load/frames.ts'
import type { Shown } from './shown.ts'

/** Finds the line of the script that calls in the bundle came from. */
export function sourcePlaces(
  sourceMap: string,
  folder: string,
  shown: Shown,
): (frames: readonly Frame[]) => string | undefined {
  const map = new SourceMap(JSON.parse(sourceMap))
  return frames => {
    const found = frames.flatMap(([line, column]) => {
      const origin = map.findEntry(line - 1, column - 1)
      if (!('originalSource' in origin)) return []
      const { originalSource, originalLine, originalColumn } = origin
      return [{ source: originalSource, place: `${originalLine + 1}:${originalColumn + 1}` }]
    })
    // The author's own line says more than the line of a package that it called.
    const best = found.find(({ source }) => isAuthored(source, folder)) ?? found[0]
    return best && `${shown(resolve(folder, best.source))}:${best.place}`
  }
}

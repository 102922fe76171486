import type { CompilerMessage } from '@onrush/protocol/monitor'
import { compileScript } from '../compile/compile-script.ts'
import { inParallel } from '../compile/in-parallel.ts'
import { InputReader } from '../compile/inputs.ts'
import { isTyped, typeCheckAll } from '../compile/type-check-all.ts'
import type { LoadLimits } from '../first-load/first-load.ts'
import { LoaderPool } from '../first-load/loader-pool.ts'
import { defaultLimits } from '../read-script.ts'
import type { FoundScript } from './find-scripts.ts'
import { linesOf } from './lines.ts'
import type { Records } from './records.ts'

export interface ChangeNeeds {
  readonly folder: string
  /** Where bundles are kept. */
  readonly cacheDir: string
  readonly records: Records
  readonly limits: Partial<LoadLimits> | undefined
  readonly parallel: number
  readonly now: () => Date
  readonly say: (message: CompilerMessage) => void
  /** Told of each script as its compile begins and ends. */
  readonly onBusy: (script: FoundScript, busy: boolean) => void
}

/** A shared process pays off for more than a few; alone, a script's faults are found at the first try. */
const fewScripts = 3

/** Scripts whose outcome may be another now: something they were made of has changed, or the outcome was not only theirs. */
async function changedOf(
  scripts: readonly FoundScript[],
  records: Records,
  retryFailed: boolean,
): Promise<FoundScript[]> {
  const reader = new InputReader()
  const changed: FoundScript[] = []
  for (const script of scripts) {
    if (script.fault !== undefined) continue
    const record = await records.of(script)
    const again = record === undefined || !record.settled || (retryFailed && record.status === 'failed')
    if (again || !(await reader.areSame(record.inputs))) changed.push(script)
  }
  return changed
}

/** Compiles what has changed: one run of the type checker for all, and beside it a few scripts at a time. Answers how many are good. */
export async function compileChanged(
  scripts: readonly FoundScript[],
  retryFailed: boolean,
  needs: ChangeNeeds,
): Promise<number> {
  const { folder, cacheDir, records, limits, parallel, now, say, onBusy } = needs
  const from = now().getTime()
  const changed = await changedOf(scripts, records, retryFailed)
  if (changed.length > 0) say({ type: 'state', state: 'bundling' })
  for (const { name, file, fault } of scripts) {
    if (fault !== undefined) say({ type: 'line', level: 'error', text: fault, simulation: name, place: file })
  }
  if (changed.length === 0) return 0
  for (const script of changed) onBusy(script, true)
  const typed = changed.filter(script => isTyped(script.path))
  const types = typeCheckAll(
    typed.map(({ path, file }) => ({ script: path, shownAs: file })),
    folder,
  )
  // Each script awaits it; one that fails before must not leave it unheard.
  types.catch(() => undefined)
  const pool = changed.length > fewScripts ? new LoaderPool(limits?.memoryMb ?? defaultLimits.memoryMb) : undefined
  let done = 0
  let good = 0
  try {
    await inParallel(changed, parallel, async script => {
      const start = performance.now()
      const compiled = await compileScript(script.path, script.file, {
        cacheDir,
        limits,
        firstLoad: pool && ((...load) => pool.load(...load)),
        types: isTyped(script.path) ? types.then(found => found.get(script.path) ?? []) : undefined,
        from,
      })
      const record = await records.keep(script, compiled, now().toISOString(), performance.now() - start)
      onBusy(script, false)
      done++
      if (record.status === 'ok') good++
      const progress = changed.length > 1 ? `[${done}/${changed.length}] ` : ''
      for (const line of linesOf(script, record, progress)) say(line)
    })
  } finally {
    pool?.close()
  }
  return good
}

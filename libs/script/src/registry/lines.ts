import type { CompilerMessage } from '@onrush/protocol/monitor'
import type { FoundScript } from './find-scripts.ts'
import type { ScriptRecord } from './version-store.ts'

/** A hash as people read it. */
export const short = (hash: string): string => hash.slice(0, 10)

/** What the compiler's output says of one script. */
export function* linesOf(
  { name, file }: FoundScript,
  { status, error = '', errors = [], good, elapsedMs }: ScriptRecord,
  progress: string,
): Generator<CompilerMessage> {
  if (status === 'ok') {
    const text = `${progress}${file} is good (${short(good?.hash ?? '')}, ${elapsedMs} ms)`
    yield { type: 'line', level: 'info', text, simulation: name }
    return
  }
  for (const { path, message } of errors) {
    yield { type: 'line', level: 'error', text: message, simulation: name, place: path }
  }
  if (errors.length === 0) yield { type: 'line', level: 'error', text: error, simulation: name }
  const left = good === undefined ? 'it cannot be run' : `its last good version (${short(good.hash)}) stays runnable`
  yield { type: 'line', level: 'warn', text: `${progress}${file} failed; ${left}`, simulation: name }
}

/** What a run of an older version tells its reader. */
export function staleWarning({ file }: FoundScript, { checkedAt, error, errors = [], good }: ScriptRecord): string {
  const faults = errors.slice(0, 3).map(({ path, message }) => `${path}: ${message}`)
  const why = faults.length === 0 ? error : faults.join('; ')
  return `${file} has errors since ${checkedAt}, so this ran its last good version (${short(good?.hash ?? '')}, of ${good?.compiledAt}): ${why}`
}

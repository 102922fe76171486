import type { Fault } from '@onrush/protocol/problem'
import type { LoadLimits, Outcome } from './first-load.ts'
import type { Frame } from './frames.ts'

type Failure = Exclude<Outcome, { type: 'loaded' }>

const lastLine = (text: string) => text.trim().split('\n').at(-1)?.slice(0, 300) ?? ''

function sentence(outcome: Failure, limits: LoadLimits): string {
  switch (outcome.type) {
    case 'no-default': {
      const others = outcome.exports.length === 0 ? 'nothing is exported' : `exported are ${outcome.exports.join(', ')}`
      return `expected "export default simulation({ … })", but there is no default export (${others})`
    }
    case 'threw':
      return `${outcome.message} (thrown while the script was loading)`
    case 'exited':
      return outcome.code === 13 && outcome.frames.length === 0
        ? 'the script waits at its top level for something that never comes'
        : `the script ended its process with exit code ${outcome.code} while it was loading; it may only export a simulation`
    case 'time':
      return `the script was still loading after ${limits.timeMs / 1000} s; work belongs into setup or into a step`
    case 'memory':
      return `loading the script took more than ${limits.memoryMb} MB (${outcome.megabytes} MB); a feed streams a large file instead of reading it whole`
    case 'died':
      return /heap out of memory|Allocation failed/.test(outcome.stderr)
        ? `loading the script took more than ${limits.memoryMb} MB; a feed streams a large file instead of reading it whole`
        : `the process that loaded the script ended with ${outcome.how}${outcome.stderr === '' ? '' : `: ${lastLine(outcome.stderr)}`}`
    default:
      return outcome satisfies never
  }
}

/** What the author is told when the first load gave no simulation. */
export function outcomeFault(
  outcome: Failure,
  limits: LoadLimits,
  placeOf: (frames: readonly Frame[]) => string | undefined,
  script: string,
): Fault {
  const place = 'frames' in outcome ? placeOf(outcome.frames) : undefined
  return { path: place ?? script, message: sentence(outcome, limits) }
}

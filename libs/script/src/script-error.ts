import { faultsInWords } from '@onrush/protocol/check'
import type { Code } from '@onrush/protocol/codes'
import { OnrushError } from '@onrush/protocol/error'
import type { Fault } from '@onrush/protocol/problem'

/** `checkout.ts:12` of `checkout.ts:12:7 $.scenarios[0]`. */
const lineOf = (path: string) => /^(\S.*?:\d+)(?::\d+)?(?: |$)/.exec(path)?.[1]

/** The compiler says which type a value is not assignable to; what the data's check says of it tells what to write. */
function completed(types: readonly Fault[], data: readonly Fault[]): Fault[] {
  return types.map(fault => {
    const also = data.filter(({ path }) => lineOf(path) === lineOf(fault.path))
    const [only] = also
    if (only === undefined || also.length > 1 || !/\(TS\d+\)$/.test(fault.message)) return fault
    return fault.message.includes('Did you mean') ? fault : { ...fault, message: `${fault.message}; ${only.message}` }
  })
}

/**
 * One error for all that is wrong with a script. What an earlier stage said of a line, a later one need not say again:
 * a slip in the types is mostly a slip in the data too.
 */
export function scriptError(
  what: string,
  stages: readonly (readonly Fault[])[],
  code: Code = 'script_error',
): OnrushError {
  const said = new Set<string>()
  const faults = stages.flatMap((stage, i) => {
    const fresh = stage.filter(({ path }) => !said.has(lineOf(path) ?? ''))
    for (const { path } of stage) said.add(lineOf(path) ?? path)
    return completed(fresh, stages[i + 1] ?? [])
  })
  return new OnrushError(code, faultsInWords(what, faults), { errors: faults })
}

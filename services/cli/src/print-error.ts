import { OnrushError } from '@onrush/protocol/error'
import type { Output } from './io.ts'

/** A person's mistake gets a sentence and the places; ours gets the stack, because someone will have to find it. */
export function printError(error: unknown, err: Output): void {
  if (error instanceof OnrushError) {
    err.write(`error: ${headline(error)}\n`)
    for (const { path, message } of error.errors) err.write(`  ${path}: ${message}\n`)
    if (error.cause !== undefined)
      err.write(`  because ${error.cause instanceof Error ? error.cause.message : error.cause}\n`)
    return
  }
  err.write(`internal error: ${error instanceof Error ? error.stack : String(error)}\n`)
}

/** A message that repeats its faults, as answers over HTTP do, says here only what they are faults of: they follow. */
function headline({ message, errors }: OnrushError): string {
  const [first] = errors
  const repeated = first === undefined ? -1 : message.indexOf(`: ${first.path}: ${first.message}`)
  return repeated < 0 ? message : message.slice(0, repeated)
}

import { setFlagsFromString } from 'node:v8'
import { ColumnFault } from './column-fault.ts'
import { rewritePattern } from './pattern-rewrite.ts'

/*
 * A backtracking engine takes seconds for `^(a+)+$` on 28 characters, and the texts come from the server under test. V8
 * has a second engine whose time is linear, and two flags reach it without options on the command line: the first makes
 * an ordinary match change over to it after 50,000 steps back; the second lets `l` be asked for, which throws for a
 * pattern that the linear engine cannot run, so that no such pattern gets past compilation. Both are the process's own:
 * set here, before the first pattern, they hold for patterns made later, on every thread.
 */
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks')
setFlagsFromString('--enable-experimental-regexp-engine')

const longest = 1000

/** A pattern that only says whether it matches, in time linear to the text: its groups do not capture. */
export function compileMatcher(source: string): RegExp {
  return compile(source, false)
}

/** A pattern with its groups, in linear time as well. `(?i)` at its start ignores case. Throws `ColumnFault`. */
export function compilePattern(source: string): RegExp {
  return compile(source, true)
}

function compile(source: string, captures: boolean): RegExp {
  if (source.length > longest) throw new ColumnFault(`a pattern may have ${longest} characters`, longest)
  check(source)
  const rewritten = rewritePattern(source, captures)
  try {
    new RegExp(rewritten, 'l')
  } catch (error) {
    // Any other message would mean that this V8 has no such engine, which must not look like a fault of the pattern.
    if (!(error instanceof SyntaxError) || !error.message.includes('linear time')) throw error
    throw new ColumnFault(
      'look-around, back-references and the like can take exponential time and are refused; write the pattern without them',
      0,
    )
  }
  return new RegExp(rewritten)
}

function check(source: string): void {
  const body = source.startsWith('(?i)') ? source.slice(4) : source
  try {
    new RegExp(body)
  } catch (error) {
    if (error instanceof SyntaxError) throw new ColumnFault(error.message, 0)
    throw error
  }
}

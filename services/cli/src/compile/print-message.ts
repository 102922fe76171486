import { count, duration } from '@onrush/protocol/figures'
import type { CompilerMessage } from '@onrush/protocol/monitor'
import type { Output } from '../io.ts'
import { painter } from '../terminal/paint.ts'
import { safeLine } from '../terminal/safe-line.ts'

const colours = { info: 'dim', warn: 'yellow', error: 'red' } as const

/** Prints what the compiler says, line by line as it says it. */
export function compilerPrinter(out: Output): (message: CompilerMessage) => void {
  const paint = painter(out.colours)
  let spoke = true
  return message => {
    switch (message.type) {
      case 'state':
        break
      case 'line': {
        spoke = true
        const { level, text, place } = message
        const where = place === undefined ? '' : `${place}: `
        out.write(`${paint(colours[level], safeLine(`${level.padEnd(5)} ${where}${text}`))}\n`)
        break
      }
      case 'outcome': {
        // While a folder is watched, looking and finding nothing is no news.
        if (!spoke) break
        spoke = false
        const { ok, compiled, unchanged, failed, elapsedMs } = message
        const counts = `${count(compiled)} compiled, ${count(unchanged)} unchanged, ${count(failed)} failed`
        out.write(`${paint(ok ? 'green' : 'red', `${ok ? '✓' : '✗'} ${counts} in ${duration(elapsedMs)}`)}\n`)
        break
      }
      default:
        message satisfies never
    }
  }
}

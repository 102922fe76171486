import { generatorBlock } from './blocks.ts'
import { openMemory } from './memory.ts'
import { readRow, rowCount } from './rows.ts'
import { writes } from './shared-histogram.ts'

/**
 * How often a thread has said how busy it is, once a second while its event loop comes round. Read from the memory it
 * shares: a thread that is stuck answers no question any more.
 */
export function pulsesOf(memory: SharedArrayBuffer): number {
  const open = openMemory(memory)
  for (let i = 0; i < rowCount(open); i++) {
    const row = readRow(open, i)
    if (row.kind === 'generator') return open.words[row.at + generatorBlock.utilisation.head + writes] ?? 0
  }
  return 0
}

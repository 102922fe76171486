import { Workers } from '@onrush/protocol/start-fields'
import type { Read } from '../arguments/option.ts'

/** `4`, `all`, or `w1,w2`. */
export const workers: Read<Workers> = text => {
  const wanted = /^\d+$/.test(text) ? Number(text) : text === 'all' ? text : text.split(',').map(id => id.trim())
  const checked = Workers.safeParse(wanted)
  return checked.success
    ? { value: checked.data }
    : { problem: `expected a number of workers, "all", or worker ids with commas between, got "${text}"` }
}

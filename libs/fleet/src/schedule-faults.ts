import { nextTick } from './queues.ts'

/** Asked of the queue's own reader, so that what is good here is what a queue takes. */
function isRead(pattern: string, timezone?: string): boolean {
  try {
    nextTick(pattern, timezone)
    return true
  } catch {
    return false
  }
}

const fields = [
  ['second', '0 to 59'],
  ['minute', '0 to 59'],
  ['hour', '0 to 23'],
  ['day', '1 to 31'],
  ['month', '1 to 12 or jan to dec'],
  ['weekday', '0 to 7 or sun to sat'],
] as const

/** What is wrong with a cron line, field by field; nothing when it is a good one. */
export function cronFault(cron: string): string | undefined {
  const written = cron.trim().split(/\s+/)
  const isShort = cron.trim().startsWith('@')
  const isWhole = written.length === 5 || written.length === 6
  if ((isShort || isWhole) && isRead(cron)) return undefined
  const wanted = 'expected "minute hour day month weekday" (seconds may go first) such as "0 3 * * *"'
  if (isShort || !isWhole) return `${wanted}, got "${cron}"`
  const named = fields.slice(-written.length)
  const wrong = named.flatMap(([name, range], i) => {
    const value = written[i] ?? '*'
    const alone = named.map((_, other) => (other === i ? value : '*')).join(' ')
    return isRead(alone) ? [] : [`the ${name} from ${range}, got "${value}"`]
  })
  if (wrong.length > 0) return `expected ${wrong.join('; ')}`
  return `expected a day that some month has, got "${cron}"`
}

/** What is wrong with a timezone's name; nothing when it is a good one. */
export function timezoneFault(timezone: string): string | undefined {
  if (isRead('0 0 * * *', timezone)) return undefined
  return `expected a timezone such as "Europe/Berlin" or "UTC", got "${timezone}"`
}

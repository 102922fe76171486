import { expect, it } from 'vitest'
import { cronFault, timezoneFault } from './schedule-faults.ts'

it.each(['0 3 * * *', '*/10 8-18 * * mon-fri', '30 0 3 1,15 jan *', '0 3 L * *', '@weekdays'])(
  'a cron line is read: %s',
  cron => {
    expect(cronFault(cron)).toBeUndefined()
  },
)

it.each([
  ['0 99 * * *', 'expected the hour from 0 to 23, got "99"'],
  ['61 3 * 13 *', 'expected the minute from 0 to 59, got "61"; the month from 1 to 12 or jan to dec, got "13"'],
  ['60 0 3 * * *', 'expected the second from 0 to 59, got "60"'],
  ['0 3 * * caturday', 'expected the weekday from 0 to 7 or sun to sat, got "caturday"'],
  ['0 0 30 2 *', 'expected a day that some month has, got "0 0 30 2 *"'],
  ...['every day!', '0 3 * *', '* * * * * * *', '@sometimes'].map(cron => [
    cron,
    `expected "minute hour day month weekday" (seconds may go first) such as "0 3 * * *", got "${cron}"`,
  ]),
])('a cron line is refused: %s: %s', (cron, fault) => {
  expect(cronFault(cron ?? '')).toBe(fault)
})

it('a timezone is one that the clock knows', () => {
  expect(timezoneFault('Europe/Berlin')).toBeUndefined()
  expect(timezoneFault('UTC')).toBeUndefined()
  expect(timezoneFault('Mars/Olympus')).toBe('expected a timezone such as "Europe/Berlin" or "UTC", got "Mars/Olympus"')
})

import { z } from 'zod'
import { limits } from './limits.ts'

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const namedMs = { millisecond: 1, second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const

/** A day's load is the longest anyone plans; a week leaves room and still keeps due times exact in a double. */
export const longestMs = limits.duration.value

const text =
  /^(?:(\d+(?:\.\d+)?)d)?(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/

function parseText(value: string): number | undefined {
  const found = text.exec(value.trim())
  if (found === null || value.trim() === '') return undefined
  const parts = [unitMs.d, unitMs.h, unitMs.m, unitMs.s, unitMs.ms]
  return parts.reduce((sum, ms, i) => sum + Number(found[i + 1] ?? 0) * ms, 0)
}

function isWritten(value: string): boolean {
  const ms = parseText(value)
  return ms !== undefined && ms <= longestMs
}

const advice = 'a duration like "500ms", "90s", "5m" or "1h30m" (at most 7d), or { "value": 90, "unit": "second" }'

export const Duration = z.union(
  [
    z
      .string()
      .max(64)
      .refine(isWritten, { error: `expected ${advice}` }),
    z.strictObject({
      value: z.number().nonnegative(),
      unit: z.enum(Object.keys(namedMs) as [keyof typeof namedMs, ...(keyof typeof namedMs)[]]),
    }),
  ],
  { error: `expected ${advice}` },
)
export type Duration = z.infer<typeof Duration>

/** Milliseconds of a duration that the schema has accepted. */
export function durationMs(duration: Duration): number {
  if (typeof duration === 'string') return parseText(duration) ?? Number.NaN
  return duration.value * namedMs[duration.unit]
}

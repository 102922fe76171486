/** The least of 1, 1.5, 2, 3, 4, 5, 6, 8 × 10ⁿ that is not below: an axis that ends there seldom changes. */
const steps = [1, 1.5, 2, 3, 4, 5, 6, 8, 10] as const

export function niceCeil(value: number): number {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = steps.find(each => each * power >= value * 0.999999) ?? 10
  return step * power
}

const minute = 60
const spans = [
  10, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200, 10_800, 14_400, 21_600,
  28_800, 43_200, 64_800, 86_400,
] as const

/** Seconds that a live chart shows: ahead of the time by some, up to the plan's end, growing in steps. */
export function liveSpan(elapsed: number, planned: number | undefined): number {
  const ahead = spans.find(span => span >= elapsed * 1.05 + 2) ?? Math.ceil((elapsed * 1.1) / 3600) * 60 * minute
  return planned !== undefined && planned >= elapsed && planned < ahead * 1.35 ? planned : ahead
}

/** Distances between the marks of a time axis, in seconds. */
export const timeSteps: number[] = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 10_800, 21_600, 43_200,
  86_400,
]

/** `0`, `30 s`, `1 m`, `1 m 30 s`, `1:05:00` would not be read as a length: units are written. */
export function axisTime(seconds: number): string {
  if (seconds === 0) return '0'
  if (seconds < 60) return `${Number(seconds.toFixed(1))} s`
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  const rest = Math.round(seconds % 60)
  return [hours > 0 && `${hours} h`, minutes > 0 && `${minutes} m`, rest > 0 && `${rest} s`].filter(Boolean).join(' ')
}

/** Distances between the marks of an axis of counts: nothing lies between one and two of them. */
export const wholeSteps: number[] = [1, 2, 5]
  .flatMap(step => Array.from({ length: 8 }, (_, power) => step * 10 ** power))
  .sort((a, b) => a - b)

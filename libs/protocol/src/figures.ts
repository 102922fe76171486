/**
 * How numbers are written, on the page and in the terminal alike. Groups of digits are parted by a narrow space and the
 * unit by a space, neither of which breaks a line; `plainSpaces` makes ordinary ones of them where text is searched.
 */
const group = '\u202f'
const gap = '\u00a0'

export const plainSpaces = (text: string): string => text.replaceAll(/[\u202f\u00a0]/g, ' ')

const withUnit = (value: string, unit: string): string => `${value}${gap}${unit}`

/** Three significant digits, without an exponent: 840, 12.4, 1.83, 0.0214. Whole numbers stay whole beyond. */
function significant(value: number): string {
  if (value === 0) return '0'
  // Rounded first: 9.996 is 10.0, which has a digit less behind the point than 9.99.
  const rounded = Number(value.toPrecision(3))
  const digits = 2 - Math.floor(Math.log10(Math.abs(rounded)))
  return value.toFixed(Math.max(0, Math.min(digits, 20)))
}

function grouped(digits: string): string {
  const [whole = '', fraction] = digits.split('.')
  const parted = whole.replaceAll(/\B(?=(\d{3})+$)/g, group)
  return fraction === undefined ? parted : `${parted}.${fraction}`
}

/** `12 480`. */
export function count(value: number): string {
  return grouped(String(Math.round(value)))
}

/** Milliseconds as `840 µs`, `12.4 ms`, `1.83 s`; above a minute as `1 m 30 s`. */
export function latency(ms: number): string {
  // 999.6 µs would be written as 1000 µs: the unit changes where rounding does.
  if (ms < 0.9995) return ms === 0 ? withUnit('0', 'ms') : withUnit(significant(ms * 1000), 'µs')
  if (ms < 999.5) return withUnit(significant(ms), 'ms')
  if (ms < 59_950) return withUnit(significant(ms / 1000), 's')
  return duration(ms)
}

/** `12 480 /s`; below a hundred with three significant digits. */
export function rate(perSecond: number): string {
  return withUnit(Math.abs(perSecond) >= 99.95 ? count(perSecond) : significant(perSecond), '/s')
}

/** A part of 1 as `0.02 %`; `0` only when it is zero, and `100 %` only when it is all. */
export function share(part: number): string {
  if (part === 0) return '0'
  if (part >= 1) return withUnit(String(Math.round(part * 100)), '%')
  const percent = part * 100
  if (percent < 0.01) return withUnit('<0.01', '%')
  if (percent >= 99.995) return withUnit('>99.99', '%')
  return withUnit(percent < 1 || percent > 99 ? percent.toFixed(2) : significant(percent), '%')
}

/** `450 ms`, `6.2 s`, `1 m 30 s`, `1 h 5 m`. */
export function duration(ms: number): string {
  if (ms < 999.5) return withUnit(String(Math.round(ms)), 'ms')
  if (ms < 59_950) return withUnit((ms / 1000).toFixed(1).replace(/\.0$/, ''), 's')
  const seconds = Math.round(ms / 1000)
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const
  const first = parts.findIndex(([value]) => value > 0)
  return parts
    .slice(first, first + 2)
    .filter(([value], i) => i === 0 || value > 0)
    .map(([value, unit]) => withUnit(String(value), unit))
    .join(gap)
}

const sizes = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

/** `512 B`, `1.2 MB`, in steps of 1000. */
export function bytes(value: number): string {
  let size = value
  let unit = 0
  while (size >= 999.5 && unit < sizes.length - 1) {
    size /= 1000
    unit++
  }
  return withUnit(unit === 0 ? String(Math.round(size)) : significant(size), sizes[unit] ?? 'B')
}

/** A change from one number to another: `+5.2 %`, `−12 %`, `±0`; a minus sign, not a hyphen. */
export function change(from: number, to: number): string {
  if (from === to) return '±0'
  if (from === 0) return 'new'
  const percent = ((to - from) / Math.abs(from)) * 100
  const size = Math.abs(percent)
  const text = size >= 99.5 ? count(size) : size >= 9.95 ? size.toFixed(0) : size.toFixed(1)
  return withUnit(`${percent < 0 ? '−' : '+'}${text}`, '%')
}

/** A number without a unit, as a custom metric has it. */
export function plain(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  const sign = value < 0 ? '−' : ''
  return sign + (size >= 999.5 ? count(size) : Number.isInteger(size) ? String(size) : significant(size))
}

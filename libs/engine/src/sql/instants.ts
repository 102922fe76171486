const written = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d(?::?\d\d)?(?::\d\d)?)?$/

/**
 * A date and time as ISO text: with a zone as the same instant in UTC (`…Z`), without one as the wall clock's time that
 * the database holds, to which nothing is added. Digits after the second stay as many as the database gave. What is no
 * such text (`infinity`, years before 1 or after 9999) is left as it is.
 */
export function instantValue(text: string): string {
  const parts = written.exec(text)
  if (parts === null) return text
  const [, date = '', time = '', fraction = '', zone] = parts
  if (zone === undefined) return `${date}T${time}${fraction}`
  if (/^(?:Z|[+-]00(?::?00)?)$/.test(zone)) return `${date}T${time}${fraction}Z`
  const at = Date.parse(`${date}T${time}Z`) - zoneMs(zone)
  const utc = new Date(at)
  if (Number.isNaN(at) || utc.getUTCFullYear() < 1 || utc.getUTCFullYear() > 9999) return text
  return `${utc.toISOString().slice(0, 19)}${fraction}Z`
}

/** `+05:30`, `-08`, and the `+00:53:28` of local mean times. */
function zoneMs(zone: string): number {
  const digits = zone.slice(1).replaceAll(':', '')
  const [hours, minutes, seconds] = [0, 2, 4].map(at => Number(digits.slice(at, at + 2) || 0))
  const ms = ((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)) * 1000
  return zone.startsWith('-') ? -ms : ms
}

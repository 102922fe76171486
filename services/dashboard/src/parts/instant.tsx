const sameDay: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', second: '2-digit' }
const otherDay: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }
const otherYear: Intl.DateTimeFormatOptions = { year: 'numeric', ...otherDay }

/** An instant in the viewer's zone, as short as today allows; the whole with its offset in the tooltip. */
export function Instant({ at, now = new Date() }: { at: string; now?: Date }) {
  const date = new Date(at)
  const options =
    date.toDateString() === now.toDateString()
      ? sameDay
      : date.getFullYear() === now.getFullYear()
        ? otherDay
        : otherYear
  const whole = date.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' })
  return (
    <time dateTime={at} title={whole}>
      {date.toLocaleString(undefined, { hourCycle: 'h23', ...options })}
    </time>
  )
}

/** The words of flags that shape a run, as one would type them. Where a report went, and how it was shown, shapes nothing. */
export function flagWords(flags: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (value === undefined || value === false) return []
    if (value === true) return [`--${name}`]
    return (Array.isArray(value) ? value : [value]).flatMap(each => [`--${name}`, String(each)])
  })
}

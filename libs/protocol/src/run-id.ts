const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** `<name>-<yyyymmddhhmmss>-<6 random>`, in UTC, so that ids of one name sort by time. `random` gives numbers in [0, 1). */
export function makeRunId(name: string, now: Date, random: () => number): string {
  const readable = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replace(/^-+|-+$/g, '')
  const time = now.toISOString().replace(/\D/g, '').slice(0, 14)
  const tail = Array.from({ length: 6 }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')
  return `${readable === '' ? 'run' : readable}-${time}-${tail}`
}

/** Letters that are not mistaken for each other. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** `<name>-<yyyymmddhhmmss>-<6 random>`: safe in paths, and in order of time for one name. */
export function makeRunId(name: string, at: Date, random: () => number): string {
  const stamp = at.toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const word = Array.from({ length: 6 }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50)
    .replace(/-+$/, '')
  return `${plain === '' ? 'run' : plain}-${stamp}-${word}`
}

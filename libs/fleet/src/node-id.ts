/** An id that stays the same over restarts where host and port do, so that its queue and its reports are found again. */
export function nodeIdOf(role: 'reporter' | 'worker', hostname: string, port: number): string {
  const host = hostname
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 50)
  return `${host === '' ? role : host}-${port}`
}

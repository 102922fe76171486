import { isCredentialHeader, isTellingName, type Veil } from './secrets.ts'

function quoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function withoutCredentials(word: string): string {
  const header = /^(?:(?:-H|--header=))?([A-Za-z0-9-]+):/.exec(word)
  if (header !== null && isCredentialHeader(header[1] ?? '')) return `${header[0]} ***`
  const pair = /^(?:(?:-e|--set=))?([A-Za-z_][A-Za-z0-9_]*)=/.exec(word)
  if (pair !== null && isTellingName(pair[1] ?? '')) return `${pair[0]}***`
  return word.replace(/(:\/\/[^/:@\s]+):[^/@\s]+@/, '$1:***@')
}

/** What a person types to have the run again, without its secrets. */
export function commandLine(command: string, args: readonly string[], veil: Veil): string {
  return ['onrush', command, ...args.map(word => quoted(withoutCredentials(veil.text(word))))].join(' ')
}

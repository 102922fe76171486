import { isSecretName, masked } from '@onrush/protocol/secrets'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogFields = { readonly [name: string]: unknown }
export type Log = (level: LogLevel, message: string, fields?: LogFields) => void

function maskedValue(name: string, value: unknown): unknown {
  if (isSecretName(name)) return '…'
  if (typeof value === 'string') return masked(value)
  if (value instanceof Error) return masked(value.stack ?? value.message)
  return value
}

/** One JSON object per line: what happened, when, and the fields that tell which. */
export function jsonLog(write: (line: string) => void, now: () => Date, base: LogFields = {}): Log {
  return (level, message, fields = {}) => {
    const entries = Object.entries({ ...base, ...fields }).map(([name, value]) => [name, maskedValue(name, value)])
    write(
      `${JSON.stringify({ time: now().toISOString(), level, message: masked(message), ...Object.fromEntries(entries) })}\n`,
    )
  }
}

import type { Secret } from './json.ts'

/** A value of an environment that never appears in logs, traces, reports or messages: `{ key: secret('…') }`. */
export function secret(value: string): Secret {
  return { $secret: value }
}

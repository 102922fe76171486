import type { Environment } from './environment.ts'

const deepest = 100

/** True when a text, or any text or number inside a value, holds a secret; what is too deep to look through counts as one. */
export function holdsSecret(value: unknown, environment: Environment, depth = 0): boolean {
  const { secretTexts } = environment
  if (secretTexts.length === 0) return false
  if (depth > deepest) return true
  if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      if (holdsSecret(key, environment, depth + 1)) return true
      if (holdsSecret((value as Record<string, unknown>)[key], environment, depth + 1)) return true
    }
    return false
  }
  const text = String(value)
  return secretTexts.some(secret => text.includes(secret))
}

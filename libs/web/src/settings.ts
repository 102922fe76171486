import { faultsInWords } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import { suggest } from '@onrush/protocol/nearest'
import type { Fault } from '@onrush/protocol/problem'

export type Environment = { readonly [name: string]: string | undefined }

/** Reads a service's settings from its environment, and tells every wrong one at once. An empty variable is an unset one. */
export class Settings {
  private readonly env: Environment
  private readonly faults: Fault[] = []
  private readonly asked: string[] = []

  constructor(env: Environment) {
    this.env = env
  }

  text(name: string): string | undefined {
    this.asked.push(name)
    const value = this.env[name]?.trim()
    return value === '' ? undefined : value
  }

  list(name: string): string[] {
    return (this.text(name) ?? '').split(',').flatMap(each => (each.trim() === '' ? [] : [each.trim()]))
  }

  int(name: string, fallback: number, min: number, max: number): number {
    const text = this.text(name)
    if (text === undefined) return fallback
    const value = Number(text)
    if (Number.isInteger(value) && value >= min && value <= max) return value
    this.fault(name, `expected a whole number from ${min} to ${max}, got "${text}"`)
    return fallback
  }

  /** A text of a form; `expected` says which. */
  matching(name: string, form: RegExp, expected: string): string | undefined {
    const text = this.text(name)
    if (text === undefined || form.test(text)) return text
    this.fault(name, `expected ${expected}, got "${text}"`)
    return undefined
  }

  fault(name: string, message: string): void {
    this.faults.push({ path: name, message })
  }

  /** Call last: a variable of ours that nobody asked for is a typo, and silently ignored ones cost an afternoon. */
  done(known: readonly string[] = []): void {
    const names = [...this.asked, ...known]
    for (const name of Object.keys(this.env)) {
      if (name.startsWith('ONRUSH_') && !names.includes(name))
        this.fault(name, `unknown setting (${suggest(name, names)})`)
    }
    if (this.faults.length > 0)
      throw new OnrushError('invalid', faultsInWords('the environment', this.faults), { errors: this.faults })
  }
}

/**
 * Takes our settings out of the environment once they are read. Threads and child processes inherit what is left, and a
 * script has no business with our tokens or with Redis.
 */
export function forgetSettings(env: Record<string, string | undefined>): void {
  for (const name of Object.keys(env)) if (name.startsWith('ONRUSH_') || name === 'REDIS_URL') delete env[name]
}

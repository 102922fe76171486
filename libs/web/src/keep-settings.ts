import { limits } from '@onrush/protocol/limits'
import type { Settings } from './settings.ts'

const MiB = 1_048_576

/** How much of past runs stays on this host's disk. */
export interface KeepSettings {
  readonly runs: number
  readonly ageMs: number
  readonly bytes: number
}

export function readKeep(settings: Settings): KeepSettings {
  const { storedReports, storedDays, storedBytes } = limits
  return {
    runs: settings.int(storedReports.setting, storedReports.value, 1, 10_000_000),
    ageMs: settings.int(storedDays.setting, storedDays.value, 1, 36_500) * 86_400_000,
    bytes: settings.int(storedBytes.setting, storedBytes.value / MiB, 1, 1_073_741_824) * MiB,
  }
}

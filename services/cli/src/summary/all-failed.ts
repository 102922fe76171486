import type { Report } from '@onrush/protocol/report'
import type { Paint } from '../terminal/paint.ts'

/** Without thresholds a run passes whatever the target answers: that must not read as if all were well. */
export function allFailed({ summary, thresholds }: Report, advice: string, paint: Paint): string[] {
  const { count, ko } = summary.whole
  if (count === 0 || ko < count || thresholds.length > 0) return []
  return [paint('red', `! every request failed, and no threshold says that it must not: add one, e.g. ${advice}`)]
}

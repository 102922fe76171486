import { limits } from '@onrush/protocol/limits'
import { parsePattern, type TargetRules, targetRules, targetsSetting } from '@onrush/protocol/targets'
import { isLoopback } from './bind-address.ts'
import type { Settings } from './settings.ts'

/** Who may come in, and where requests may go: the settings that both services share. */
export interface AccessSettings {
  readonly token: string | undefined
  readonly viewerToken: string | undefined
  /** A file of named tokens, read again when it changes. */
  readonly tokensFile: string | undefined
  /** Names by which we may be called. */
  readonly hosts: readonly string[]
  /** Prometheus needs no token. */
  readonly openMetrics: boolean
  /** Starts and compiles that one token may ask for. */
  readonly startsPerMinute: number
  readonly targets: TargetRules
}

/** Whoever guesses a token from a network tries millions; on loopback it is nobody's business. */
const shortestToken = 16

export function readAccess(
  settings: Settings,
  host: string,
  ownNames: readonly (string | undefined)[],
): AccessSettings {
  const reachable = !isLoopback(host)
  const token = settings.text('ONRUSH_TOKEN')
  const viewerToken = settings.text('ONRUSH_VIEWER_TOKEN')
  const tokensFile = settings.text('ONRUSH_TOKENS_FILE')
  if (viewerToken !== undefined && token === undefined && tokensFile === undefined) {
    settings.fault('ONRUSH_VIEWER_TOKEN', 'expected ONRUSH_TOKEN beside it: without one everybody may do everything')
  }
  if (token !== undefined && token === viewerToken) {
    settings.fault('ONRUSH_VIEWER_TOKEN', 'expected another token than ONRUSH_TOKEN')
  }
  for (const [name, value] of Object.entries({ ONRUSH_TOKEN: token, ONRUSH_VIEWER_TOKEN: viewerToken })) {
    if (value === undefined) continue
    if (/\s/.test(value)) settings.fault(name, 'expected a token without spaces: it travels in a header')
    if (reachable && value.length < shortestToken) {
      settings.fault(
        name,
        `expected at least ${shortestToken} characters where others can reach us; "onrush token" makes one`,
      )
    }
  }
  const patterns = settings.list(targetsSetting)
  for (const pattern of patterns) {
    const parsed = parsePattern(pattern)
    if (typeof parsed === 'string') settings.fault(targetsSetting, parsed)
  }
  const metrics = settings.matching('ONRUSH_METRICS', /^(open|closed)$/, '"open" or "closed"')
  return {
    token,
    viewerToken,
    tokensFile,
    hosts: [...ownNames.filter(name => name !== undefined), ...settings.list('ONRUSH_HOSTS')],
    openMetrics: metrics === 'open',
    startsPerMinute: settings.int(limits.starts.setting, limits.starts.value, 1, 1_000_000),
    targets: targetRules(patterns, reachable),
  }
}

/** The name in an address that others were told to reach us by. */
export const nameIn = (advertised: string | undefined): string | undefined =>
  advertised === undefined ? undefined : new URL(advertised).hostname

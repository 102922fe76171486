import type { AccessSettings } from './access-settings.ts'
import type { Log } from './log.ts'
import { TokenFile } from './token-file.ts'
import { type Tokens, tokensOf } from './tokens.ts'

/** The tokens that a service knows. Throws for a file of tokens that cannot be read. */
export function openTokens(
  { token, viewerToken, tokensFile }: AccessSettings,
  fleet: { readonly secret: string; readonly always: boolean },
  log: Log,
): Tokens {
  const file = tokensFile === undefined ? undefined : new TokenFile(tokensFile, log, Date.now)
  return tokensOf({
    operator: token,
    viewer: viewerToken,
    node: fleet.secret,
    always: fleet.always,
    ...(file === undefined ? {} : { named: () => file.tokens }),
  })
}

import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContext } from 'node:tls'
import { OnrushError } from '@onrush/protocol/error'
import type { HttpDefaults } from '@onrush/protocol/http-step'

export interface TlsSettings {
  readonly context: SecureContext
  readonly insecure: boolean
  readonly servername: string | undefined
}

/** A file's name as the script writes it, to where it lies on this machine. */
export type Files = ReadonlyMap<string, string>

/** One context for all connections: each of its own would cost some 100 KB and the parsing of every certificate. */
export function readTls(tls: HttpDefaults['tls'], files: Files): TlsSettings {
  const read = (name: string | undefined): Buffer | undefined => {
    if (name === undefined) return undefined
    try {
      return readFileSync(files.get(name) ?? name)
    } catch (cause) {
      throw new OnrushError('invalid', `http.tls: cannot read "${name}": expected a PEM file beside the script`, {
        cause,
      })
    }
  }
  try {
    const context = createSecureContext({
      ca: read(tls?.ca),
      cert: read(tls?.cert),
      key: read(tls?.key),
      passphrase: tls?.passphrase,
    })
    return { context, insecure: tls?.insecure === true, servername: tls?.servername }
  } catch (cause) {
    if (cause instanceof OnrushError) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new OnrushError(
      'invalid',
      `http.tls: the certificate or key cannot be used (${why}): expected PEM files that belong together`,
      { cause },
    )
  }
}

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { OnrushError } from '@onrush/protocol/error'
import { loadSpec } from 'onrush/load-simulation'
import type { Io } from '../io.ts'
import { withBundleFolder } from '../running/bundle-folder.ts'
import { carryOut } from '../running/carry-out.ts'
import { commandLine } from '../running/command-line.ts'
import { printerFor, viewFor } from '../running/run-simulation.ts'
import { isCredentialHeader, Veil } from '../running/secrets.ts'
import { flagWords } from '../running/words.ts'
import { type QuickFlags, simulationOfQuick } from './quick-simulation.ts'
import { quickText } from './quick-text.ts'

interface Flags extends QuickFlags {
  readonly threads: number | undefined
  readonly out: string | undefined
  readonly json: boolean
  readonly quiet: boolean
}

/** `@file` is what the file holds, as in curl and hey. */
function bodyOf(body: string | undefined, cwd: string): string | undefined {
  if (body === undefined || !body.startsWith('@')) return body
  const file = body.slice(1)
  try {
    return readFileSync(resolve(cwd, file), 'utf8')
  } catch (cause) {
    throw new OnrushError('not_found', `--body: the file ${file} cannot be read: ${String(cause)}`, { cause })
  }
}

function secretsIn(url: string, { header }: Flags): string[] {
  const password = /:\/\/[^/:@\s]+:([^/@\s]+)@/.exec(url)?.[1]
  return [
    ...header.flatMap(([name, value]) => (isCredentialHeader(name) ? [value] : [])),
    ...(password === undefined ? [] : [password]),
  ]
}

function wordsOf(url: string, flags: Flags): string[] {
  const { out: _out, json: _json, quiet: _quiet, header, ...rest } = flags
  return [url, ...flagWords({ ...rest, header: header.map(([name, value]) => `${name}: ${value}`) })]
}

/** `onrush quick`: from a URL and flags to an exit code. */
export async function runQuick(url: string, flags: Flags, io: Io): Promise<number> {
  const simulation = simulationOfQuick(url, { ...flags, body: bodyOf(flags.body, io.cwd) })
  const veil = new Veil(secretsIn(url, flags))
  return withBundleFolder(async cacheDir => {
    const loaded = await loadSpec('quick', simulation, cacheDir)
    const { bundle } = loaded
    const prepared = {
      name: 'quick',
      kind: 'single' as const,
      loaded: {
        simulation: loaded.simulation,
        source: { bundle: bundle.file, hash: bundle.hash },
        files: loaded.files,
      },
      options: {
        threads: flags.threads,
        load: flags.rate === undefined || flags.users === undefined ? {} : { maxUsers: flags.users },
      },
      environment: { name: undefined, over: {}, whole: {} },
      script: { hash: bundle.hash },
      command: () => commandLine('quick', wordsOf(url, flags), veil),
      veil,
    }
    return carryOut(
      prepared,
      { view: viewFor(veil.text(url), flags, io), folder: () => flags.out, print: printerFor(flags, io, quickText) },
      io,
    )
  })
}

import { posix } from 'node:path'
import { referencesOf } from './references.ts'
import { heavyDependency, isTest, mayImport, mayTouchProcess } from './rules.ts'

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  path: string
  source: string
}

export interface Violation {
  path: string
  line: number
  message: string
}

const packageOf = (path: string): string | undefined => /^(libs|services)\/[^/]+/.exec(path)?.[0]

/**
 * Where a specifier leads, as a path from the root; nothing for what is not ours.
 * A package's own name leads to its folder: what lies behind its `exports` is its own business.
 */
function destination(from: string, specifier: string, names: ReadonlyMap<string, string>): string | undefined {
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(from), specifier))
  const name = specifier.startsWith('@') ? specifier.split('/', 2).join('/') : specifier.split('/', 1)[0]
  return names.get(name ?? '')
}

/** Every place where a file breaks the house's rules. `names` maps package names to their folders. */
export function violationsOf(files: readonly SourceFile[], names: ReadonlyMap<string, string>): Violation[] {
  const violations: Violation[] = []
  const heavyUsers = new Map<string, Set<string>>()
  for (const { path, source } of files) {
    const from = packageOf(path)
    for (const { kind, to, line } of referencesOf(path, source)) {
      const report = (message: string) => violations.push({ path, line, message })
      if (kind === 'process') {
        if (!mayTouchProcess(path))
          report('`process` appears only in main.ts and config.ts: take what you need as an argument')
        continue
      }
      if (from === undefined) continue
      const heavy = kind === 'import' && !isTest(path) ? heavyDependency(to) : undefined
      if (heavy !== undefined) {
        const users = heavyUsers.get(`${from} ${heavy}`) ?? new Set()
        heavyUsers.set(`${from} ${heavy}`, users.add(path))
        if (users.size > 1) report(`${heavy} is imported by ${[...users].join(' and ')}: one file per package wraps it`)
      }
      const leads = destination(path, to, names)
      const target = leads === undefined ? undefined : packageOf(leads)
      if (leads === undefined || (target === undefined && !to.startsWith('.'))) continue
      if (target === from) continue
      // A service may start another as a process of its own: it names the entry, and shares no code with it.
      if (kind === 'url' && (/^services\/[^/]+\/src\/main\.ts$/.test(leads) || target === undefined)) continue
      if (to.startsWith('.'))
        report(`"${to}" reaches into ${target ?? leads} past its exports: import it by its package's name`)
      else if (target !== undefined && !mayImport(from, target, isTest(path)))
        report(`${from} may not import ${target} ("${to}")`)
    }
  }
  return violations
}

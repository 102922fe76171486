/** Who may import whom: a package of one layer imports packages of lower layers only, never of its own. */
const layers: readonly (readonly string[])[] = [
  ['libs/protocol'],
  ['libs/context', 'libs/metrics', 'libs/load'],
  ['libs/engine', 'libs/script', 'libs/report', 'libs/fleet', 'libs/web'],
]

/** What narrows or widens the layers' rule for one package; `tests` are open to test files only. */
const exceptions: Record<string, { only: readonly string[] }> = {
  // Servers are started by services and by tests; the helper itself knows nothing of load.
  'libs/servers': { only: ['libs/protocol'] },
  // The reporter coordinates; whatever it ran itself would compete with what it measures.
  'services/reporter': {
    only: [
      'libs/protocol',
      'libs/context',
      'libs/metrics',
      'libs/load',
      'libs/script',
      'libs/report',
      'libs/fleet',
      'libs/web',
      'libs/servers',
    ],
  },
  // The page in a browser: schemas type its client, the arithmetic draws its curves.
  'services/dashboard': { only: ['libs/protocol', 'libs/load'] },
  'services/demo-target': { only: ['libs/protocol'] },
}

/** Loaded in one place per package, so that its version, its options and its replacement are one file's business. */
const heavy: readonly string[] = ['bullmq', 'ioredis', 'piscina', 'undici', 'knex', '@grpc/grpc-js', 'esbuild']

export function layerOf(pkg: string): number {
  if (pkg.startsWith('services/')) return layers.length
  return layers.findIndex(layer => layer.includes(pkg))
}

export function mayImport(from: string, to: string, test: boolean): boolean {
  if (from === to) return true
  if (to === 'libs/servers') return test || from.startsWith('services/')
  const only = exceptions[from]?.only
  if (only !== undefined && !only.includes(to)) return false
  return layerOf(to) >= 0 && (only !== undefined || layerOf(to) < layerOf(from))
}

/** The heavy dependency that a specifier belongs to (`knex/types` belongs to `knex`). */
export function heavyDependency(specifier: string): string | undefined {
  return heavy.find(name => specifier === name || specifier.startsWith(`${name}/`))
}

/** Where `process`, the environment and signals may appear. */
export function mayTouchProcess(path: string): boolean {
  const file = path.slice(path.lastIndexOf('/') + 1)
  return (
    file === 'main.ts' ||
    file === 'config.ts' ||
    isTest(path) ||
    path.startsWith('libs/servers/') ||
    !/^(libs|services)\//.test(path)
  )
}

/** `x.test.ts`, and `x.testing.ts` that several of them share. */
export const isTest = (path: string): boolean => /\.test(ing)?\.tsx?$/.test(path)

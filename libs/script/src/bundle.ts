import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import type { Fault } from '@onrush/protocol/problem'
import { build, type Message, type Plugin } from 'esbuild'
import { entry } from './entry.ts'
import { placeModule, scriptPlaceholder, scriptUrlName } from './module-places.ts'
import type { Shown } from './shown.ts'

/** One ES module that holds a script and everything it imports, apart from Node's own modules. */
export interface Bundle {
  readonly code: string
  /** sha256 of the code, in hex: two bundles with one hash are the same. */
  readonly hash: string
  /** JSON; its sources are relative to the script's folder. */
  readonly sourceMap: string
}

/**
 * The modules in a bundle see the script's own place, not the bundle's. Which place that is, is written in when the
 * bundle is put on a disk. CommonJS packages find a `require` for Node's modules.
 */
const banner = `import { createRequire as __onrushRequire } from 'node:module'
const ${scriptUrlName} = ${scriptPlaceholder}
const require = __onrushRequire(${scriptUrlName})`

const modulePlaces = (folder: string): Plugin => ({
  name: 'module places',
  setup(build) {
    build.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, async ({ path }) => {
      const contents = placeModule(await readFile(path, 'utf8'), path, folder)
      // The extension says as much to esbuild as its names of loaders: .mts is ts, .cjs is js.
      return contents === undefined ? undefined : { contents, loader: 'default' }
    })
  },
})

const nativeAddon = /No loader is configured for "\.node" files/

function faultOf(message: Message, folder: string, script: string, shown: Shown): Fault {
  const { location } = message
  const path =
    location === null
      ? shown(script)
      : `${shown(resolve(folder, location.file))}:${location.line}:${location.column + 1}`
  if (!nativeAddon.test(message.text)) return { path, message: message.text }
  return {
    path,
    message:
      'expected a package in JavaScript, got a native addon (.node): a script runs on every worker, whose platform may be another',
  }
}

const isMessages = (value: unknown): value is Message[] => Array.isArray(value)

export function toBundle(code: string, sourceMap: string): Bundle {
  return { code, hash: createHash('sha256').update(code).digest('hex'), sourceMap }
}

export interface ScriptBundle extends Bundle {
  /** Every file that it was made of. */
  readonly inputs: readonly string[]
}

export async function bundleScript(script: string, shown: Shown): Promise<ScriptBundle | Fault[]> {
  const folder = dirname(script)
  try {
    const { outputFiles, metafile } = await build({
      entryPoints: [script],
      absWorkingDir: folder,
      outfile: resolve(folder, 'bundle.mjs'),
      write: false,
      metafile: true,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      alias: { onrush: entry },
      // Its own options only, as for the type check: one script means the same in every folder.
      tsconfigRaw: {},
      sourcemap: 'external',
      sourcesContent: true,
      legalComments: 'none',
      // Its comments would hold the places of the modules, and one script would have another hash in each folder.
      minifyWhitespace: true,
      logLevel: 'silent',
      banner: { js: banner },
      plugins: [modulePlaces(folder)],
    })
    const text = (suffix: string) => outputFiles.find(file => file.path.endsWith(suffix))?.text ?? ''
    const inputs = Object.keys(metafile.inputs).map(file => resolve(folder, file))
    return { ...toBundle(text('.mjs'), text('.map')), inputs }
  } catch (error) {
    const errors: unknown = error instanceof Error && 'errors' in error ? error.errors : undefined
    if (!isMessages(errors)) throw error
    return errors.map(message => faultOf(message, folder, script, shown))
  }
}

/** Whether a source of a bundle's map is the author's, rather than a package's or this library's. */
export function isAuthored(source: string, folder: string): boolean {
  return !source.includes('node_modules') && relative(dirname(entry), resolve(folder, source)).startsWith('..')
}

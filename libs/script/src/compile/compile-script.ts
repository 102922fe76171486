import { OnrushError } from '@onrush/protocol/error'
import type { Fault } from '@onrush/protocol/problem'
import type { LoadLimits } from '../first-load/first-load.ts'
import { loadSimulation } from '../load-simulation.ts'
import type { LoadedScript, LoadOptions } from '../loaded.ts'
import { type Input, InputReader } from './inputs.ts'
import { localImports } from './local-imports.ts'

export interface CompileNeeds {
  readonly cacheDir: string
  readonly limits?: Partial<LoadLimits> | undefined
  readonly firstLoad: LoadOptions['firstLoad']
  readonly types: Promise<readonly Fault[]> | undefined
  /** When this compile began, in Unix milliseconds. */
  readonly from: number
}

export type Compiled = { readonly inputs: readonly Input[] } & (
  | { readonly loaded: LoadedScript; readonly settled: true }
  | { readonly error: OnrushError; readonly settled: boolean }
)

/** Compiles one script; whatever is wrong with it is its outcome, and nobody else's. */
export async function compileScript(script: string, shownAs: string, needs: CompileNeeds): Promise<Compiled> {
  const { cacheDir, limits, firstLoad, types, from } = needs
  const reader = new InputReader()
  let bundled: readonly string[] | undefined
  const inputsOf = async (more: readonly string[]) => {
    const files = new Set([script, ...(bundled ?? []), ...(await localImports(script)), ...more])
    return await Promise.all([...files].map(file => reader.input(file, from)))
  }
  try {
    const loaded = await loadSimulation(script, {
      cacheDir,
      shownAs,
      ...(limits === undefined ? {} : { limits }),
      ...(firstLoad === undefined ? {} : { firstLoad }),
      ...(types === undefined ? {} : { types }),
      onInputs: files => {
        bundled = files
      },
    })
    return { loaded, inputs: await inputsOf(Object.values(loaded.files)), settled: true }
  } catch (error) {
    const known =
      error instanceof OnrushError
        ? error
        : new OnrushError('internal', `${shownAs} could not be compiled: ${String(error)}`, { cause: error })
    // What is wrong with the data may lie in a file that it names: mended, it changes nothing of what was bundled.
    const ofData = known.errors.some(fault => / \$/.test(fault.path))
    return { error: known, inputs: await inputsOf([]), settled: bundled !== undefined && !ofData && known === error }
  }
}

import type { Loaded, RunOptions } from '@onrush/engine/run'
import type { Chosen } from './environment-flags.ts'
import type { Veil } from './secrets.ts'

/** A run that is ready to begin, whichever command prepared it. */
export interface Prepared {
  readonly name: string
  readonly kind: 'single' | 'simulation'
  readonly loaded: Loaded
  readonly options: Omit<RunOptions, 'runId'>
  readonly environment: Chosen
  readonly script: { readonly hash: string; readonly file?: string; readonly source?: string }
  /** Repeats the run that had this seed. */
  readonly command: (seed: number) => string
  readonly veil: Veil
}

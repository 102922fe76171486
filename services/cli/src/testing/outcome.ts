/** How one check ended, with what it printed for the case that it failed. */
export interface Outcome {
  readonly name: string
  readonly passed: boolean
  readonly note: string
  readonly output: string
}

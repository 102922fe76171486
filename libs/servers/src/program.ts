/** A program of somebody else's that a command or a test needs, and how the package managers call it. */
export interface Program {
  /** As people call it: `Redis`. */
  readonly title: string
  /** What its executable may be called, the preferred name first. */
  readonly names: readonly string[]
  readonly packages: { readonly apt: string; readonly dnf: string; readonly apk: string; readonly brew: string }
  /** Where packages put it outside of PATH. */
  readonly directories?: readonly string[]
}

/** Decides which targets may be reached. */
export interface TargetGuard {
  /** Why not, or `undefined` if it may. `address` is the resolved one, `undefined` where a proxy resolves the name. */
  refusal(host: string, address: string | undefined, port: number): string | undefined
}

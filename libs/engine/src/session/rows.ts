export type Row = { readonly [column: string]: unknown }

/** The rows of a scenario's feeds, merged: a function of the session's number alone. `undefined`: used up. */
export interface Rows {
  rowOf(session: number): Row | undefined
  close(): Promise<void>
}

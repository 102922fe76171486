export interface Size {
  readonly columns: number
  readonly rows: number
}

/** A pseudo-terminal that nobody gave a size says 0, and a pipe says nothing; then it is what terminals always were. */
export function sizeOf({ columns, rows }: { readonly columns?: number; readonly rows?: number }): Size {
  return { columns: columns || 80, rows: rows || 24 }
}

import type { Row } from '../session/rows.ts'

/** Rows by their number, from 0. */
export interface RowSource {
  readonly rows: number
  row(number: number): Row
  close(): void
}

/** Rows that stand in the simulation itself. */
export function inlineRows(rows: readonly Row[]): RowSource {
  return { rows: rows.length, row: number => rows[number] ?? {}, close: () => undefined }
}

import type { Row } from '../session/rows.ts'

/** Called for each complete row: where it lies in the bytes given, and the line it begins on. */
export type VisitRow = (start: number, end: number, line: number) => void

/** Finds rows in a file that comes piece by piece. */
export interface RowSplitter {
  /**
   * Visits the complete rows and gives how many bytes are done with; the rest is to come again, with more behind it.
   * At the end of the file the last row needs nothing behind it.
   */
  split(bytes: Buffer, atEnd: boolean, visit: VisitRow): number
  /** What is wrong with the file as a whole, once it has been seen to its end. */
  unfinished(): { line: number; message: string } | undefined
}

/** A way to write rows into a file. */
export interface RowFormat {
  /** From the start of the file, or from the start of some row in it. */
  splitter(fromStart: boolean): RowSplitter
  /** What is wrong with a row, in words. Names that the row has are added to `names`. */
  problem(row: Buffer, names: Set<string>): string | undefined
  /** Of a row without a problem. */
  parse(row: Buffer): Row
}

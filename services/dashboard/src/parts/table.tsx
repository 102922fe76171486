import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { reachable } from './reachable.ts'

export interface Column<Row> {
  /** Of the address too: short, without spaces. */
  key: string
  title: string
  /** What the title leaves out. */
  hint?: string
  /** Words stand left and wrap, figures stand right. */
  words?: boolean
  cell: (row: Row) => ComponentChildren
  /** What it is sorted by; a column without it is not. */
  by?: (row: Row) => number | string | undefined
}

export interface Sorting {
  key: string
  falling: boolean
}

export interface TableProps<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  sorting?: Sorting | undefined
  onSort?: (sorting: Sorting) => void
  /** Rows that can be chosen, and the one that is. */
  onChoose?: (row: Row) => void
  chosen?: string | undefined
  /** A last line that is never sorted: the whole. */
  foot?: ComponentChildren
}

function compare(a: number | string | undefined, b: number | string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1
  return typeof a === 'string' || typeof b === 'string' ? String(a).localeCompare(String(b)) : a - b
}

function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sorting: Sorting | undefined) {
  const by = columns.find(({ key }) => key === sorting?.key)?.by
  if (by === undefined) return rows
  const direction = sorting?.falling ? -1 : 1
  return rows.toSorted((a, b) => direction * compare(by(a), by(b)))
}

function HeadCell<Row>({
  column,
  sorting,
  onSort,
}: { column: Column<Row> } & Pick<TableProps<Row>, 'sorting' | 'onSort'>) {
  const { key, title, hint, words, by } = column
  const mine = sorting?.key === key
  const state = mine ? (sorting.falling ? 'descending' : 'ascending') : 'none'
  // Figures are wanted largest first, words from A.
  const next = () => onSort?.({ key, falling: mine ? !sorting.falling : words !== true })
  return (
    <th scope="col" class={words ? 'words' : undefined} aria-sort={by === undefined ? undefined : state} title={hint}>
      {by === undefined || onSort === undefined ? (
        title
      ) : (
        <button type="button" onClick={next}>
          {title}
          <span class="arrow" aria-hidden="true">
            {mine ? (sorting.falling ? '↓' : '↑') : ''}
          </span>
        </button>
      )}
    </th>
  )
}

export function Table<Row>({ label, rows, columns, keyOf, sorting, onSort, onChoose, chosen, foot }: TableProps<Row>) {
  const shown = useMemo(() => sorted(rows, columns, sorting), [rows, columns, sorting?.key, sorting?.falling])
  return (
    <section class="table-scroll" aria-label={label} {...reachable}>
      <table>
        <thead>
          <tr>
            {columns.map(column => (
              <HeadCell key={column.key} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(row => (
            <tr
              key={keyOf(row)}
              class={onChoose === undefined ? undefined : keyOf(row) === chosen ? 'choosable chosen' : 'choosable'}
              onClick={onChoose === undefined ? undefined : () => onChoose(row)}
            >
              {columns.map(({ key, words, cell }, i) =>
                i === 0 ? (
                  <th key={key} scope="row" class={words ? 'words' : undefined}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={key} class={words ? 'words' : undefined}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
        {foot !== undefined && <tfoot>{foot}</tfoot>}
      </table>
    </section>
  )
}

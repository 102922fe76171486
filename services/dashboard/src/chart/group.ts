import type uPlot from 'uplot'
import { Store } from '../store.ts'

export type Range = readonly [from: number, to: number]

/**
 * Charts of the same time: one cursor and one zoom for all of them. Positions are seconds since the start, because the
 * charts' own points need not be the same.
 */
export class ChartGroup {
  /** What is zoomed to; nothing: all there is. */
  readonly zoom = new Store<Range | undefined>(undefined)
  /** Where the cursor stands in any of them. */
  readonly cursor = new Store<number | undefined>(undefined)
  readonly #charts = new Set<uPlot>()
  /** All that there is to see. */
  whole: Range = [0, 1]

  join(chart: uPlot): () => void {
    this.#charts.add(chart)
    return () => this.#charts.delete(chart)
  }

  range(): Range {
    return this.zoom.value ?? this.whole
  }

  #applyRange(): void {
    const [min, max] = this.range()
    for (const chart of this.#charts) chart.setScale('x', { min, max })
  }

  setWhole(whole: Range): void {
    if (whole[0] === this.whole[0] && whole[1] === this.whole[1]) return
    this.whole = whole
    if (this.zoom.value === undefined) this.#applyRange()
  }

  setZoom(zoom: Range | undefined): void {
    // Less than a second holds no two points.
    if (zoom !== undefined && zoom[1] - zoom[0] < 1) return
    this.zoom.set(zoom)
    this.#applyRange()
  }

  /** Moves the others' cursors to where one of them stands. */
  point(at: number | undefined, from?: uPlot): void {
    this.cursor.set(at)
    for (const chart of this.#charts) {
      if (chart === from) continue
      chart.setCursor({ left: at === undefined ? -10 : chart.valToPos(at, 'x'), top: 0 }, false)
    }
  }
}

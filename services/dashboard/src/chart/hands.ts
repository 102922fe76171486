import type uPlot from 'uplot'
import type { ChartGroup } from './group.ts'
import { nearestIndex } from './line.ts'

/** Keys on a chart: arrows move the cursor, + and − zoom about it, Escape shows the whole. Tells whether it took the key. */
export function onKey(key: string, group: ChartGroup, xs: readonly number[]): boolean {
  const [from, to] = group.range()
  const at = group.cursor.value ?? (from + to) / 2
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowRight': {
      const index = nearestIndex(xs, at) + (key === 'ArrowLeft' ? -1 : 1)
      const next = xs[Math.max(0, Math.min(xs.length - 1, index))]
      if (next !== undefined) group.point(next)
      return true
    }
    case '+':
    case '=':
      group.setZoom([at - (at - from) / 2, at + (to - at) / 2])
      return true
    case '-': {
      const [first, last] = group.whole
      const wider = [Math.max(first, at - (at - from) * 2), Math.min(last, at + (to - at) * 2)] as const
      group.setZoom(wider[0] <= first && wider[1] >= last ? undefined : wider)
      return true
    }
    case 'Escape':
      group.setZoom(undefined)
      return true
    default:
      return false
  }
}

/** A finger moves the cursor; up and down still scroll the page. */
export function onTouch(chart: uPlot): () => void {
  const follow = (event: TouchEvent) => {
    const touch = event.touches[0]
    if (touch === undefined) return
    const { left, top } = chart.over.getBoundingClientRect()
    chart.setCursor({ left: touch.clientX - left, top: touch.clientY - top })
  }
  chart.over.addEventListener('touchstart', follow, { passive: true })
  chart.over.addEventListener('touchmove', follow, { passive: true })
  return () => {
    chart.over.removeEventListener('touchstart', follow)
    chart.over.removeEventListener('touchmove', follow)
  }
}

import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import { theme } from '../frame/theme.ts'
import { Card } from '../parts/card.tsx'
import { reachable } from '../parts/reachable.ts'
import { useStore } from '../store.ts'
import type { ChartGroup } from './group.ts'
import { onKey, onTouch } from './hands.ts'
import { forgetInks } from './ink.ts'
import { Legend } from './legend.tsx'
import type { Line } from './line.ts'
import { type Mark, makePlot } from './plot.ts'

export interface TimeChartProps {
  title: string
  note?: ComponentChildren
  tools?: ComponentChildren
  /** What is to be seen, in a sentence, for those who do not see it. */
  summary: string
  /** Seconds since the start. */
  xs: readonly number[]
  lines: readonly Line[]
  write: (value: number) => string
  writeRight?: (value: number) => string
  group: ChartGroup
  marks?: readonly Mark[]
  markNames?: boolean
  log?: boolean
  /** Counts, of which there are no halves. */
  whole?: boolean
  height?: number
  /** Whether the legend tells the latest values while the cursor is elsewhere. */
  live?: boolean
}

const noMarks: readonly Mark[] = []

/** What a drawing is made of; where it stays the same only its data changes. */
const structureOf = (lines: readonly Line[], log: boolean) =>
  JSON.stringify([log, lines.map(({ values: _, said: __, ...look }) => look)])

export function TimeChart(props: TimeChartProps) {
  const { title, note, tools, summary, xs, lines, write, writeRight, group, live = false } = props
  const { marks = noMarks, markNames = false, log = false, whole = false, height = 180 } = props
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(undefined)
  const shownMarks = useRef(marks)
  shownMarks.current = marks
  const structure = structureOf(lines, log)
  const data = useMemo((): uPlot.AlignedData => [[...xs], ...lines.map(({ values }) => [...values])], [xs, lines])

  useEffect(() => {
    const target = place.current
    if (target === null) return
    const made = makePlot(
      target,
      { height, group, lines, log, whole, write, writeRight, marks: () => shownMarks.current, markNames },
      data,
    )
    chart.current = made
    const leave = group.join(made)
    const sizes = new ResizeObserver(() => {
      const width = target.clientWidth
      if (width > 0 && width !== made.width) made.setSize({ width, height })
    })
    sizes.observe(target)
    const forgetTouch = onTouch(made)
    const untheme = theme.watch(() => {
      forgetInks()
      made.redraw(false)
    })
    return () => {
      untheme()
      forgetTouch()
      sizes.disconnect()
      leave()
      made.destroy()
      chart.current = undefined
    }
  }, [structure, group, height])

  useEffect(() => {
    if (chart.current !== undefined && chart.current.data !== data) chart.current.setData(data)
  }, [data])
  useEffect(() => {
    chart.current?.redraw(false)
  }, [marks])

  return (
    <Card
      title={title}
      note={note}
      tools={
        <>
          {tools}
          <ZoomOut group={group} />
        </>
      }
    >
      <Legend lines={lines} xs={xs} group={group} write={write} writeRight={writeRight ?? write} live={live} />
      <div
        class="plot"
        ref={place}
        role="img"
        {...reachable}
        aria-label={`${title}: ${summary}`}
        style={{ height: `${height}px` }}
        onKeyDown={event => {
          if (onKey(event.key, group, xs)) event.preventDefault()
        }}
        onBlur={() => group.point(undefined)}
      />
    </Card>
  )
}

function ZoomOut({ group }: { group: ChartGroup }) {
  const zoom = useStore(group.zoom)
  if (zoom === undefined) return null
  return (
    <button type="button" class="quiet" onClick={() => group.setZoom(undefined)}>
      Whole run
    </button>
  )
}

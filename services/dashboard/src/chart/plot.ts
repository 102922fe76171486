import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { ChartGroup } from './group.ts'
import { ink, thinned } from './ink.ts'
import type { Line } from './line.ts'
import { axisTime, niceCeil, timeSteps, wholeSteps } from './nice.ts'

export interface Mark {
  readonly at: number
  readonly text: string
  readonly ink: 'failed' | 'invalid' | 'muted'
}

export interface PlotOptions {
  readonly height: number
  readonly group: ChartGroup
  readonly lines: readonly Line[]
  readonly log: boolean
  /** Figures on the axes. */
  readonly write: (value: number) => string
  readonly writeRight?: ((value: number) => string) | undefined
  /** The left axis counts; the right one always does. */
  readonly whole: boolean
  /** Read when drawn, so that they may change. */
  readonly marks: () => readonly Mark[]
  readonly markNames: boolean
}

/** Charts stand below each other: the same room for figures in all of them keeps one time in one place. */
const rooms = { wide: { left: 68, right: 56 }, narrow: { left: 52, right: 34 } } as const
const narrowBelow = 480
const font = () => `11px ${getComputedStyle(document.body).fontFamily}`

const axisLook = (): Pick<uPlot.Axis, 'stroke' | 'font' | 'grid' | 'ticks'> => ({
  stroke: () => ink('muted'),
  font: font(),
  grid: { stroke: () => ink('hairline'), width: 1 },
  ticks: { show: false },
})

/** `50.0 ms` has to be read on a figure, but not on an axis. */
const short = (text: string) => text.replace(/(\.\d*?)0+(?=\D|$)/, '$1').replace(/\.(?=\D|$)/, '')

/** Ten lines per power of ten would be a hatching. */
const wholePowers = (_chart: uPlot, splits: number[]): (number | null)[] =>
  splits.map(value => (Number.isInteger(Math.round(Math.log10(value) * 1e9) / 1e9) ? value : null))

function heightScale(log: boolean, whole = false): uPlot.Scale {
  if (!log)
    return { auto: true, range: (_chart, _min, max) => [0, niceCeil(whole ? Math.max(2, max ?? 0) : (max ?? 0))] }
  return {
    distr: 3,
    auto: true,
    range: (_chart, min, max) => {
      const low = min !== null && min > 0 ? min : 0.1
      return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(Math.max(max ?? 0, low * 10)))]
    },
  }
}

/** A point between two gaps has no line that would show it. */
function alone(chart: uPlot, index: number): number[] | null {
  const values = chart.data[index] ?? []
  const found: number[] = []
  let before: number | null = null
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value === undefined) continue
    if (value !== null && before === null) {
      let next = i + 1
      while (next < values.length && values[next] === undefined) next++
      if ((values[next] ?? null) === null) found.push(i)
    }
    before = value
  }
  return found
}

function seriesOf(line: Line): uPlot.Series {
  const { ink: role, width = 1.5, dashed, stepped, fillTo, opacity = 0.16, axis } = line
  const stepping = stepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined
  return {
    label: line.label,
    scale: axis === 'right' ? 'right' : 'y',
    stroke: () => ink(role),
    width,
    ...(dashed ? { dash: [4, 4] } : {}),
    ...(stepping === undefined ? {} : { paths: stepping }),
    ...(fillTo === 'ground' ? { fill: () => thinned(role, opacity) } : {}),
    points: { show: true, filter: alone, size: 4, width: 0, fill: () => ink(role), stroke: () => ink(role) },
  }
}

function bandsOf(lines: readonly Line[]): uPlot.Band[] {
  return lines.flatMap((line, i) => {
    const to = lines.findIndex(({ key }) => key === line.fillTo)
    if (to < 0) return []
    return [{ series: [i + 1, to + 1], fill: () => thinned(line.ink, line.opacity ?? 0.16) } satisfies uPlot.Band]
  })
}

function drawMarks(chart: uPlot, marks: readonly Mark[], named: boolean): void {
  const { ctx, bbox } = chart
  const ratio = devicePixelRatio
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top - 16 * ratio, bbox.width, bbox.height + 16 * ratio)
  ctx.clip()
  ctx.font = `${11 * ratio}px ${getComputedStyle(document.body).fontFamily}`
  let free = Number.NEGATIVE_INFINITY
  for (const { at, text, ink: role } of marks) {
    const x = Math.round(chart.valToPos(at, 'x', true))
    if (x < bbox.left - 1 || x > bbox.left + bbox.width + 1) continue
    ctx.strokeStyle = ink(role)
    ctx.lineWidth = ratio
    ctx.setLineDash([3 * ratio, 3 * ratio])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    if (!named) continue
    const width = ctx.measureText(text).width
    const left = Math.min(x + 4 * ratio, bbox.left + bbox.width - width - 2 * ratio)
    // Names that would lie on each other are left to the list below the charts.
    if (left < free) continue
    ctx.fillStyle = ink(role)
    ctx.textBaseline = 'bottom'
    ctx.fillText(text, left, bbox.top - 2 * ratio)
    free = left + width + 8 * ratio
  }
  ctx.restore()
}

function cursorOf(group: ChartGroup): uPlot.Cursor {
  return {
    y: false,
    drag: { x: true, y: false, setScale: false, dist: 5 },
    points: { size: 6, width: 0 },
    bind: {
      dblclick: () => () => {
        group.setZoom(undefined)
        return null
      },
    },
  }
}

export function makePlot(target: HTMLElement, options: PlotOptions, data: uPlot.AlignedData): uPlot {
  const { group, lines, log, whole, write, writeRight, marks, markNames, height } = options
  const right = lines.some(({ axis }) => axis === 'right')
  const room = target.clientWidth < narrowBelow ? rooms.narrow : rooms.wide
  return new uPlot(
    {
      width: Math.max(200, target.clientWidth),
      height,
      padding: [markNames ? 18 : 8, right ? 0 : room.right, 0, 0],
      legend: { show: false },
      cursor: cursorOf(group),
      scales: {
        x: { time: false, range: () => [...group.range()] },
        y: heightScale(log, whole),
        right: heightScale(false, true),
      },
      axes: [
        {
          ...axisLook(),
          size: 26,
          space: 84,
          incrs: timeSteps,
          values: (_chart, splits) => splits.map(axisTime),
        },
        {
          ...axisLook(),
          ...(whole ? { incrs: wholeSteps } : {}),
          ...(log ? { grid: { stroke: () => ink('hairline'), width: 1, filter: wholePowers } } : {}),
          scale: 'y',
          size: room.left,
          space: 34,
          values: (_chart, splits) => splits.map(at => (at === null ? '' : short(write(at)))),
        },
        ...(right
          ? [
              {
                ...axisLook(),
                scale: 'right',
                incrs: wholeSteps,
                side: 1,
                size: room.right,
                space: 34,
                grid: { show: false },
                values: (_chart: uPlot, splits: number[]) => splits.map(at => short((writeRight ?? write)(at))),
              } satisfies uPlot.Axis,
            ]
          : []),
      ],
      series: [{}, ...lines.map(seriesOf)],
      bands: bandsOf(lines),
      hooks: {
        draw: [chart => drawMarks(chart, marks(), markNames)],
        setSelect: [
          chart => {
            const { left, width } = chart.select
            if (width > 0) group.setZoom([chart.posToVal(left, 'x'), chart.posToVal(left + width, 'x')])
            chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          },
        ],
        setCursor: [
          chart => {
            const { left } = chart.cursor
            group.point(left === undefined || left < 0 ? undefined : chart.posToVal(left, 'x'), chart)
          },
        ],
      },
    },
    data,
    target,
  )
}

/** When a page showed something, in milliseconds since its navigation began. */
export interface Paints {
  readonly contentful: number
  readonly useful: number
  /** What the page's main thread computed until then: a machine that is busy with other things makes all but this longer. */
  readonly computed: number
}

export const traceCategories = [
  'loading',
  'blink.user_timing',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
]
export const usefulMark = 'first useful paint'

/** For the page, before its own scripts: marks the frame after the one in which figures, charts and a step are drawn. */
export const markUseful = `{
  const isThere = () => ['.figure b', '.plot canvas', '#steps tbody tr'].every(each => document.querySelector(each) !== null)
  const look = () => isThere()
    ? requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('${usefulMark}')))
    : requestAnimationFrame(look)
  look()
}`

interface TraceEvent {
  readonly name: string
  /** Microseconds. */
  readonly ts: number
  readonly pid: number
  readonly tid: number
  /** Of the processor, in microseconds. */
  readonly tdur?: number
  readonly args: { readonly data?: { readonly documentLoaderURL?: string; readonly navigationId?: string } }
}

/** Reads both off a trace's own events: nothing here has a clock. */
export function paintsIn({ traceEvents }: { traceEvents: readonly TraceEvent[] }, origin: string): Paints {
  const start = traceEvents.find(
    ({ name, args }) => name === 'navigationStart' && args.data?.documentLoaderURL?.startsWith(origin) === true,
  )
  if (start === undefined) throw new Error(`the trace holds no navigation to ${origin}`)
  const since = (name: string): number => {
    const found = traceEvents.find(event => event.name === name && event.pid === start.pid && event.ts >= start.ts)
    if (found === undefined) throw new Error(`the trace of ${origin} holds no "${name}"`)
    return (found.ts - start.ts) / 1000
  }
  const useful = since(usefulMark)
  const computed = traceEvents
    .filter(({ name, pid, tid }) => name === 'RunTask' && pid === start.pid && tid === start.tid)
    .filter(({ ts }) => ts >= start.ts && ts < start.ts + useful * 1000)
    .reduce((sum, { tdur = 0 }) => sum + tdur / 1000, 0)
  return { contentful: since('firstContentfulPaint'), useful, computed }
}

import { count, latency, rate } from '@onrush/protocol/figures'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { ChartGroup } from '../chart/group.ts'
import { axisTime, liveSpan } from '../chart/nice.ts'
import type { Mark } from '../chart/plot.ts'
import { TimeChart } from '../chart/time-chart.tsx'
import { Card } from '../parts/card.tsx'
import { Switch } from '../parts/switch.tsx'
import { useQuery } from '../route.ts'
import {
  type Basis,
  bothCourse,
  latencyCourse,
  lengthOf,
  planCourse,
  requestCourse,
  stepLatencyCourse,
  stepRequestCourse,
} from './courses.ts'
import { placeKey } from './place.ts'
import { isOver, type RunView } from './view.ts'

const markInks = { lost: 'failed', threshold: 'invalid', stop: 'muted' } as const

/** Of events that come at once only the first is named; all of them stand in the list. */
function marksOf({ events }: RunView): Mark[] {
  return events
    .map(({ at, kind, text }) => ({ at: Math.max(0, at) / 1000, text, ink: markInks[kind] }))
    .sort((a, b) => a.at - b.at)
}

function wholeOf({ status, series, elapsedMs, plan }: RunView): readonly [number, number] {
  const elapsed = Math.max(elapsedMs / 1000, lengthOf(series))
  if (isOver(status)) return [0, Math.max(1, elapsed)]
  return [0, liveSpan(elapsed, plan.durationMs === null ? undefined : plan.durationMs / 1000)]
}

export type Shown = Basis | 'both'
const bases = [
  ['due', 'from due'],
  ['send', 'from send'],
  ['both', 'both'],
] as const
const notes = {
  due: 'from the moment each request was due',
  send: 'from the sending of each request',
  both: 'dashed: from the moment each request was due; solid: from its sending',
} as const
const asShown = (text: string | undefined): Shown => bases.find(([basis]) => basis === text)?.[0] ?? 'due'

export function useShown(): readonly [Shown, (shown: Shown) => void] {
  const [text, setText] = useQuery('from')
  return [asShown(text), shown => setText(shown === 'due' ? undefined : shown)]
}

/** The story of a run: three charts of the same time with one cursor and one zoom. */
export function CourseCharts({ view }: { view: RunView }) {
  const [group] = useState(() => new ChartGroup())
  const [shown, setShown] = useShown()
  const [scale, setScale] = useQuery('scale')
  const [chosen, choose] = useQuery('step')
  const { series, plan, stepSeries } = view
  const live = !isOver(view.status)
  const step = useMemo(() => stepSeries.find(each => placeKey(each) === chosen), [stepSeries, chosen])
  const planned = useMemo(() => planCourse(plan, series), [plan, series])
  const latencies = useMemo(() => {
    if (step !== undefined) return stepLatencyCourse(step)
    return shown === 'both' ? bothCourse(series) : latencyCourse(series, shown)
  }, [series, shown, step])
  const requests = useMemo(() => (step === undefined ? requestCourse(series) : stepRequestCourse(step)), [series, step])
  const marks = useMemo(() => marksOf(view), [view.events])
  const [from, to] = wholeOf(view)
  useEffect(() => group.setWhole([from, to]), [group, from, to])
  const open = plan.rate.length > 0
  const only = step === undefined ? undefined : <ChosenStep name={step.step} forget={() => choose(undefined)} />
  const shared = { group, marks, live }
  return (
    <div class="charts">
      <TimeChart
        {...shared}
        title="Plan against actual"
        note={open ? 'sessions started per second; active sessions on the right' : 'sessions at once'}
        summary={planSummary(view)}
        {...planned}
        write={open ? rate : count}
        whole={!open}
        writeRight={count}
        markNames
        height={190}
      />
      <TimeChart
        {...shared}
        title={step === undefined ? 'Latency over time' : 'p95 over time'}
        note={step === undefined ? notes[shown] : notes.due}
        summary={latencySummary(view)}
        tools={
          <>
            {only}
            {step === undefined && <Switch label="Count latency" options={bases} value={shown} onChange={setShown} />}
            <Switch
              label="Scale of the latency axis"
              options={[
                ['linear', 'linear'],
                ['log', 'log'],
              ]}
              value={scale === 'log' ? 'log' : 'linear'}
              onChange={each => setScale(each === 'log' ? 'log' : undefined)}
            />
          </>
        }
        {...latencies}
        write={latency}
        log={scale === 'log'}
        height={220}
      />
      <TimeChart
        {...shared}
        title="Requests and failures"
        note="per second"
        summary={requestSummary(view)}
        tools={only}
        {...requests}
        write={rate}
        height={150}
      />
      <Events marks={marks} />
    </div>
  )
}

function ChosenStep({ name, forget }: { name: string; forget: () => void }) {
  return (
    <button type="button" class="chip" onClick={forget} title="Show all steps again">
      only {name} <span aria-hidden="true">×</span>
      <span class="unseen">: show all steps again</span>
    </button>
  )
}

/** The charts' marks as words, which no neighbour can cover. */
function Events({ marks }: { marks: readonly Mark[] }) {
  if (marks.length === 0) return null
  return (
    <Card title="Marks" note="the dashed lines across the charts">
      <ol class="events">
        {marks.map(({ at, text, ink }) => (
          <li key={`${at} ${text}`}>
            <span class={`event-at ${ink}`}>{axisTime(Math.round(at * 10) / 10)}</span> {text}
          </li>
        ))}
      </ol>
    </Card>
  )
}

function planSummary({ plan, totals, series }: RunView): string {
  const peak = Math.max(0, ...series.map(({ active }) => active))
  const planned = plan.arrivals === null ? '' : `${count(plan.arrivals)} arrivals planned, `
  return `${planned}${count(totals?.started ?? 0)} sessions started, at most ${count(peak)} active at once`
}

function latencySummary({ summary }: RunView): string {
  const measured = summary?.whole.duration
  if (measured === undefined) return 'nothing measured yet'
  return `p50 ${latency(measured.p50)}, p95 ${latency(measured.p95)}, p99 ${latency(measured.p99)}, at most ${latency(measured.max)}`
}

function requestSummary({ summary }: RunView): string {
  if (summary === undefined) return 'none yet'
  const { count: all, ko } = summary.whole
  return `${count(all)} requests, ${count(ko)} of them failed`
}

import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { locked, lookWho } from './api/access.ts'
import { unreachableSince } from './api/reachable.ts'
import { UnreachableBar } from './frame/bar.tsx'
import { later } from './frame/later.tsx'
import { Login } from './frame/login.tsx'
import { Rail } from './frame/rail.tsx'
import { ComparePage } from './pages/compare.tsx'
import { DataPage } from './pages/data.tsx'
import { QueuesPage } from './pages/queues.tsx'
import { LiveRunPage } from './pages/run.tsx'
import { RunsPage } from './pages/runs.tsx'
import { SchedulesPage } from './pages/schedules.tsx'
import { SimulationPage } from './pages/simulation.tsx'
import { SimulationsPage } from './pages/simulations.tsx'
import { WorkersPage } from './pages/workers.tsx'
import { Empty } from './parts/notice.tsx'
import { href, type Route, useRoute } from './route.ts'
import { useStore } from './store.ts'

/** It brings all schemas that a start is checked against: more code than all other pages together. */
const NewRunPage = later(async () => (await import('./pages/new-run.tsx')).NewRunPage)

function pageOf({ path, query }: Route): readonly [title: string, page: VNode] {
  const [page = 'runs', name, ...rest] = path
  switch (page) {
    case 'runs':
      return name === undefined ? ['Runs', <RunsPage key="runs" />] : [name, <LiveRunPage key={name} runId={name} />]
    case 'compare':
      return [
        'Compare',
        <ComparePage key={query.get('runs')} runs={(query.get('runs') ?? '').split(',').filter(Boolean)} />,
      ]
    case 'new':
      return ['New run', <NewRunPage key="new" />]
    case 'simulations': {
      if (name === undefined) return ['Simulations', <SimulationsPage key="simulations" />]
      const whole = [name, ...rest].join('/')
      return [whole, <SimulationPage key={whole} name={whole} />]
    }
    case 'workers':
      return ['Workers', <WorkersPage key="workers" />]
    case 'data':
      return ['Data', <DataPage key="data" />]
    case 'schedules':
      return ['Schedules', <SchedulesPage key="schedules" />]
    case 'queues':
      return ['Queues', <QueuesPage key="queues" />]
    default:
      return [
        'Not found',
        <Empty key="none" title="There is no such page">
          <p>
            <a href={href(['runs'])}>Back to the runs</a>
          </p>
        </Empty>,
      ]
  }
}

export function App() {
  const route = useRoute()
  const isLocked = useStore(locked)
  const stale = useStore(unreachableSince) !== undefined
  const [title, page] = pageOf(route)
  const main = useRef<HTMLElement>(null)
  const address = route.path.join('/')
  const first = useRef(address)
  useEffect(() => {
    lookWho().catch(() => {
      // It is away, which the bar says; a page that asks again learns of a login that is missing.
    })
  }, [isLocked])
  useEffect(() => {
    document.title = `${title} · Onrush`
  }, [title])
  useEffect(() => {
    // A new page begins at its top, for eyes and for screen readers; the first one where the browser put it.
    if (first.current === address) return
    first.current = ''
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [address])
  if (isLocked) return <Login />
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        To the content
      </button>
      <Rail here={route.path[0] === 'compare' ? 'runs' : (route.path[0] ?? 'runs')} />
      <div class="content">
        <UnreachableBar />
        <main ref={main} tabIndex={-1} class={stale ? 'stale' : undefined}>
          {page}
        </main>
      </div>
    </div>
  )
}

import type { ComponentChildren } from 'preact'
import { Banners } from './banners.tsx'
import { Checks } from './checks.tsx'
import { CourseCharts } from './course-charts.tsx'
import { Distribution } from './distribution.tsx'
import { Failures } from './failures.tsx'
import { RunHead } from './head.tsx'
import { Headline } from './headline.tsx'
import { Books, Groups, Metrics, Traffic } from './more.tsx'
import { Progress } from './progress.tsx'
import { Setting } from './setting.tsx'
import { Steps } from './steps.tsx'
import { Thresholds } from './thresholds.tsx'
import { Traces } from './traces.tsx'
import type { RunView } from './view.ts'
import { RunWorkers } from './workers.tsx'

/** A run: the verdict first, the evidence below it. Live and at rest the same. */
export function RunPage({ view, actions }: { view: RunView; actions?: ComponentChildren }) {
  return (
    <>
      <RunHead view={view} actions={actions} />
      <Progress view={view} />
      <Banners view={view} />
      <Thresholds view={view} />
      <Headline view={view} />
      {view.series.length > 0 && <CourseCharts view={view} />}
      <Steps view={view} />
      <Failures view={view} />
      <Traces view={view} />
      <Checks view={view} />
      <Groups view={view} />
      <Metrics view={view} />
      <Distribution view={view} />
      <Traffic view={view} />
      <Books view={view} />
      <RunWorkers view={view} />
      <Setting view={view} />
    </>
  )
}

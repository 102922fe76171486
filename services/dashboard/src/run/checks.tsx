import { count, share } from '@onrush/protocol/figures'
import type { StepSummary } from '@onrush/protocol/summary'
import { useMemo, useState } from 'preact/hooks'
import { Card } from '../parts/card.tsx'
import { MiddleCut } from '../parts/middle-cut.tsx'
import { type Column, type Sorting, Table } from '../parts/table.tsx'
import { VerdictWord } from '../parts/verdict.tsx'
import { hasSeveral, placeName } from './place.ts'
import type { RunView } from './view.ts'

interface Row {
  step: StepSummary
  label: string
  passed: number
  failed: number
}

export function Checks({ view }: { view: RunView }) {
  const [sorting, setSorting] = useState<Sorting | undefined>({ key: 'failed', falling: true })
  const steps = view.summary?.steps ?? []
  const rows = useMemo(() => steps.flatMap(step => step.checks.map(check => ({ step, ...check }))), [steps])
  const several = hasSeveral(steps)
  if (rows.length === 0) return null
  const columns: Column<Row>[] = [
    {
      key: 'check',
      title: 'expected',
      words: true,
      cell: ({ label, failed }) => (
        <>
          <VerdictWord verdict={failed === 0 ? 'passed' : 'failed'}> </VerdictWord> <code>{label}</code>
        </>
      ),
      by: ({ label }) => label,
    },
    {
      key: 'step',
      title: 'step',
      words: true,
      cell: ({ step }) => <MiddleCut text={placeName(step, several)} />,
      by: ({ step }) => placeName(step, several),
    },
    { key: 'passed', title: 'passed', cell: ({ passed }) => count(passed), by: ({ passed }) => passed },
    {
      key: 'failed',
      title: 'failed',
      cell: ({ failed }) => <span class={failed > 0 ? 'failed' : 'muted'}>{count(failed)}</span>,
      by: ({ failed }) => failed,
    },
    {
      key: 'share',
      title: 'share',
      cell: ({ passed, failed }) => (
        <span class={failed > 0 ? 'failed' : 'muted'}>{share(failed / Math.max(1, passed + failed))}</span>
      ),
      by: ({ passed, failed }) => failed / Math.max(1, passed + failed),
    },
  ]
  return (
    <Card id="checks" title="Checks" note="assertions, counted per step">
      <Table
        label="Checks"
        rows={rows}
        columns={columns}
        keyOf={({ step, label }) => `${step.scenario}/${step.step}/${label}`}
        sorting={sorting}
        onSort={setSorting}
      />
    </Card>
  )
}

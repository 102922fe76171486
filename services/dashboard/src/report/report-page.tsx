import type { Report } from '@onrush/protocol/report'
import { Comparison } from '../compare/comparison.tsx'
import { chooseTheme, theme } from '../frame/theme.ts'
import { RunPage } from '../run/run-page.tsx'
import { viewOfReport } from '../run/view.ts'
import { useStore } from '../store.ts'

/** A run at rest, or several side by side, in one file. */
export function ReportPage({ reports }: { reports: readonly Report[] }) {
  const shown = useStore(theme)
  const other = shown === 'light' ? 'dark' : 'light'
  const [first, ...others] = reports
  return (
    <div class="report">
      <main>
        {first !== undefined && others.length === 0 && (
          <RunPage
            view={viewOfReport(first)}
            actions={
              <button type="button" class="quiet" onClick={() => chooseTheme(other)}>
                {other === 'dark' ? 'Dark' : 'Light'}
              </button>
            }
          />
        )}
        {others.length > 0 && (
          <>
            <header class="page-head">
              <h1>{reports.length} runs compared</h1>
              <button type="button" class="quiet" onClick={() => chooseTheme(other)}>
                {other === 'dark' ? 'Dark' : 'Light'}
              </button>
            </header>
            <Comparison reports={reports} />
          </>
        )}
      </main>
    </div>
  )
}

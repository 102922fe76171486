import type { Report } from '@onrush/protocol/report'
import { render } from 'preact'
import { ReportPage } from './report-page.tsx'
import '../style/tokens.css'
import '../style/base.css'
import '../style/run.css'
import '../style/compare.css'
import '../style/source.css'
import '../style/report.css'

const target = document.getElementById('app')
const data = document.getElementById('data')?.textContent
if (target !== null && data) {
  const reports: Report[] = JSON.parse(data)
  // What was there is the same in few words, for those without scripts.
  target.replaceChildren()
  render(<ReportPage reports={reports} />, target)
}

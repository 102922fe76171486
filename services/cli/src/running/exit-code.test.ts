import type { Code } from '@onrush/protocol/codes'
import { OnrushError } from '@onrush/protocol/error'
import type { ReportWorker } from '@onrush/protocol/report'
import { expect, it } from 'vitest'
import { exitCodeOfRun } from './exit-code.ts'

const worker = (status: ReportWorker['status']): ReportWorker => ({
  id: 'local',
  status,
  books: [],
  imbalances: [],
  crashes: [],
  notes: [],
  hostname: 'here',
  threads: 1,
  share: 1,
  requests: 0,
  failed: 0,
  rate: 0,
})
const error = (code: Code) => new OnrushError(code, 'why')

it.each<
  [
    number,
    string,
    { error?: unknown; interrupted?: boolean; valid?: boolean; passed?: boolean; status?: ReportWorker['status'] },
  ]
>([
  [0, 'all is well', {}],
  [99, 'a threshold failed', { passed: false }],
  [96, 'the generator did not keep up', { valid: false }],
  [96, 'the generator did not keep up and a threshold failed', { valid: false, passed: false }],
  [1, 'something broke that should not', { error: new Error('why') }],
  [1, 'something broke, so nothing was measured', { error: error('run_failed'), passed: false, valid: false }],
  [95, 'a worker was lost', { status: 'lost' }],
  [95, 'a worker failed and with it thresholds', { status: 'failed', passed: false, valid: false }],
  [95, 'the engine says that a worker was lost', { error: error('worker_lost') }],
  [105, 'a signal stopped it', { interrupted: true }],
  [
    105,
    'a signal stopped it while much else was wrong',
    { interrupted: true, passed: false, valid: false, status: 'lost' },
  ],
  [104, 'the input was invalid', { error: error('invalid') }],
  [104, 'the input was invalid and a signal came', { error: error('invalid'), interrupted: true }],
  [107, 'the script failed', { error: error('script_error') }],
  [
    107,
    'the script failed and everything else too',
    { error: error('script_error'), interrupted: true, passed: false, valid: false, status: 'lost' },
  ],
])('is %d when %s', (code, _, { error, interrupted = false, valid = true, passed = true, status = 'finished' }) => {
  const outcome = {
    interrupted,
    error,
    report: {
      generator: { valid, reasons: [], warnings: [], sentence: '', missed: 0 },
      thresholds: [{ metric: 'duration', check: 'p(95)<1', abort: false, passed, detail: '' }],
      workers: [worker(status)],
    },
  }
  expect(exitCodeOfRun(outcome)).toBe(code)
})

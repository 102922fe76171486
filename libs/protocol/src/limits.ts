import type { Code } from './codes.ts'

export type LimitUnit = 'bytes' | 'characters' | 'milliseconds' | 'per second' | 'per minute' | 'days' | ''

export interface Limit {
  readonly what: string
  readonly value: number
  readonly unit: LimitUnit
  /** The variable that changes it where a service is started. */
  readonly setting?: string
  /** What one who goes beyond is told. */
  readonly error: Code | 'cut' | 'oldest go' | 'begun anew' | 'closed' | 'counted together'
}

const MiB = 1_048_576
const bytes = (what: string, value: number, error: Limit['error'] = 'too_large') =>
  ({ what, value, unit: 'bytes', error }) as const
const text = (what: string, value: number) => ({ what, value, unit: 'characters', error: 'invalid' }) as const
const count = (what: string, value: number, error: Limit['error'] = 'invalid') =>
  ({ what, value, unit: '', error }) as const

/**
 * Every limit of the services in one table. What enforces a limit reads it here, and docs/limits.md is printed from it, so
 * that a limit that is not documented does not exist.
 */
export const limits = {
  startBody: bytes('body of a start or a schedule', 8 * MiB),
  compileBody: bytes('body of a compile on a worker, which may name contents', 8 * MiB),
  smallBody: bytes('body of a stop or a compile', MiB),
  loginBody: bytes('body of a login', 8_192),
  ext: bytes('`ext`, as JSON', 65_536),
  upload: { ...bytes('a data file that is uploaded', 1024 * MiB), setting: 'ONRUSH_MOST_UPLOAD_MB' },
  headers: bytes('headers of a request, all together', 32_768, 'closed'),
  socketMessage: bytes('a message that a websocket client sends', 65_536, 'closed'),
  nesting: { ...count('depth of a JSON body', 100, 'malformed') },
  idempotencyKey: text('`Idempotency-Key`', 255),
  token: text('a token that is shown', 4_096),

  name: text('name of a run, a scenario or a step', 200),
  simulationName: text('name of a registered simulation', 200),
  environmentName: text('name of an environment', 200),
  description: text('description of a simulation', 10_000),
  url: text('URL of a request', 65_536),
  sqlQuery: text('statement of a `sql` step', 1_000_000),
  scenarios: count('scenarios of a simulation', 100),
  steps: count('steps of a list of steps', 10_000),
  injections: count('steps of a profile', 1_000),
  levels: count('levels of a staircase profile', 10_000),
  users: count('sessions at once, or started by one step of a profile', 10_000_000),
  rate: { what: 'arrivals, or requests of a throttle', value: 10_000_000, unit: 'per second', error: 'invalid' },
  iterations: count('iterations of a profile, or turns of a loop', 1_000_000_000),
  duration: { what: 'any duration', value: 7 * 86_400_000, unit: 'milliseconds', error: 'invalid' },
  redirects: count('redirects that a step may follow', 50),
  workers: count('workers of a run', 10_000),
  weight: count('weight of a worker', 1_000_000),
  prefetched: count('simulations that a worker is told to hold ready at once', 10_000),

  openRuns: { ...count('runs of a fleet that have not ended', 1_000, 'too_many'), setting: 'ONRUSH_MOST_RUNS' },
  schedules: count('schedules', 1_000, 'too_many'),
  starts: {
    what: 'starts and compiles of one token; a sixth of them at once',
    value: 600,
    unit: 'per minute',
    setting: 'ONRUSH_STARTS_PER_MINUTE',
    error: 'too_many',
  },
  failedLogins: {
    what: 'failed logins from one address, after five at once',
    value: 6,
    unit: 'per minute',
    error: 'too_many',
  },
  runWatchers: count('clients that watch runs on one reporter', 500, 'too_many'),
  workerWatchers: count('clients that watch one worker', 100, 'too_many'),
  compileWatchers: count("clients that follow one compiler's output", 100, 'too_many'),
  uploads: count('uploads at once', 8, 'too_many'),
  connections: count('connections to one service', 4_096, 'closed'),

  storedReports: {
    ...count('reports, and logs of runs on a worker, that are kept', 10_000, 'oldest go'),
    setting: 'ONRUSH_KEEP_RUNS',
  },
  storedDays: {
    what: 'age of a kept report or log',
    value: 365,
    unit: 'days',
    setting: 'ONRUSH_KEEP_DAYS',
    error: 'oldest go',
  },
  storedBytes: { ...bytes('kept reports or logs together', 20_480 * MiB, 'oldest go'), setting: 'ONRUSH_KEEP_MB' },
  cache: {
    ...bytes('contents of runs that are kept for later ones', 2048 * MiB, 'oldest go'),
    setting: 'ONRUSH_CACHE_MB',
  },
  auditFile: bytes('audit log of a data folder, before a new file is begun', 16 * MiB, 'begun anew'),
  auditFiles: count('older audit logs that are kept', 16, 'oldest go'),
  runRecord: {
    what: 'age of a run that has ended, in `GET /api/job/:runId`',
    value: 30,
    unit: 'days',
    error: 'oldest go',
  },

  errorKinds: count('kinds of errors of one step that are told apart', 100, 'counted together'),
  metricNames: count('names of steps that are told apart', 500, 'counted together'),
  responseBody: bytes('response body that a step keeps, where `maxBody` does not say otherwise', 64 * MiB, 'too_large'),
  shownSource: {
    what: "a script's source that is shown, its modules and its last good version with it",
    value: MiB,
    unit: 'characters',
    error: 'cut',
  },
  shownModules: count('modules of a script whose source is shown', 100, 'cut'),
  failureBody: bytes('response body in a sample of a failure', 2_000, 'cut'),
} as const satisfies Record<string, Limit>

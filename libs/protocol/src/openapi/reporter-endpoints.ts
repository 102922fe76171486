import { z } from 'zod'
import { ContentHash } from '../content.ts'
import { DataFile, DataPreview, UploadedFile } from '../data-file.ts'
import { Job, Started } from '../job.ts'
import { JobMonitorMessage } from '../job-monitor.ts'
import { limits } from '../limits.ts'
import { CompilerMessage } from '../monitor.ts'
import { NodeRecord, RunId } from '../node.ts'
import { CompileRequest, Schedule, SimulationName, SimulationRequest, StopRequest } from '../run-request.ts'
import { ScheduleEntry } from '../schedule-entry.ts'
import { CompileOutcome, SimulationEntry } from '../simulation-entry.ts'
import { SimulationSource } from '../simulation-source.ts'
import { Single } from '../single.ts'
import { SingleQuery } from '../single-query.ts'
import { ReportAnswer, Reporters, StopAnswer, StoredReport } from '../stored-report.ts'
import { commonEndpoints } from './common-endpoints.ts'
import type { Endpoints } from './endpoint.ts'
import { reportFile } from './report-file.ts'

const runId = { runId: RunId }
const path = { path: z.string().describe('relative to the folder of simulations; slashes stay slashes') }
const started = { json: Started, what: 'begun; `Location` of nothing: follow the links' } as const
const idempotent = {
  'idempotency-key': {
    schema: z.string().min(1).max(limits.idempotencyKey.value).optional(),
    what: 'a retry with the same key and the same request gives the first run; remembered for a day',
  },
} as const
const startFails = ['idempotency_conflict', 'too_many', 'script_error', 'not_found'] as const
const file = { type: 'application/octet-stream', what: 'the file' } as const

/** Everything a reporter answers to. */
export const reporterEndpoints = {
  'GET /api/single': {
    summary: 'Starts a run of one request. A bearer token only: a link must not start anything.',
    role: 'operator',
    group: 'Runs',
    query: SingleQuery,
    headers: idempotent,
    answers: { 202: started },
    fails: [...startFails, 'cross_site_refused'],
    examples: {
      'ten requests a second': {
        query: { url: 'http://127.0.0.1:7090/json', rate: '10', duration: '1s', assert: ['$.status=200'] },
        status: 202,
      },
      'a rate without a duration': { query: { url: 'http://127.0.0.1:7090/json', rate: '10' }, status: 422 },
    },
  },
  'POST /api/single': {
    summary: 'Starts a run of one request, with everything a body can say.',
    role: 'operator',
    group: 'Runs',
    body: Single,
    headers: idempotent,
    answers: { 202: started },
    fails: startFails,
    examples: {
      'two users for a second': {
        body: {
          name: 'items',
          url: 'http://127.0.0.1:7090/json',
          users: 2,
          duration: '1s',
          assert: { '$.status': 200 },
          thresholds: { duration: ['p(95)<2000'], failed: ['rate<0.01'] },
        },
        status: 202,
      },
      'a typing error': { body: { url: 'http://127.0.0.1:7090/json', usres: 2, duration: '1s' }, status: 422 },
    },
  },
  'POST /api/simulation': {
    summary: 'Starts a run of a registered script, or of a simulation in the body.',
    role: 'operator',
    group: 'Runs',
    body: SimulationRequest,
    headers: idempotent,
    answers: { 202: started },
    fails: startFails,
    examples: {
      'a simulation as data': {
        body: {
          simulation: {
            description: 'Three at once',
            scenarios: [
              {
                name: 'browse',
                inject: [{ type: 'atOnceUsers', users: 3 }],
                steps: [
                  {
                    type: 'http',
                    name: 'home',
                    method: 'GET',
                    url: 'http://127.0.0.1:7090/json',
                    assert: { '$.status': 200 },
                    export: { id: '$.entity.id' },
                  },
                ],
              },
            ],
          },
        },
        status: 202,
      },
      'a script that nobody has': { body: { simulation: 'nobody-has-this' }, status: 404 },
    },
  },
  'GET /api/jobs': {
    summary: 'Runs that have not ended.',
    role: 'viewer',
    group: 'Runs',
    answers: { 200: { json: z.array(Job), what: 'the oldest first' } },
    examples: { all: { status: 200 } },
  },
  'GET /api/job/:runId': {
    summary: 'One run, as long as its record is kept.',
    role: 'viewer',
    group: 'Runs',
    params: runId,
    answers: { 200: { json: Job, what: 'the run' } },
    examples: {
      'one that was': { params: { runId: '{runId}' }, status: 200 },
      none: { params: { runId: 'never-was' }, status: 404 },
    },
  },
  'DELETE /api/job/:runId': {
    summary: 'Stops a run gently: sessions end with their pass, and there is a report.',
    role: 'operator',
    group: 'Runs',
    params: runId,
    answers: { 202: { json: Job, what: 'the run, which is told to stop' } },
    fails: ['conflict'],
    examples: { 'one that is over': { params: { runId: '{runId}' }, status: 409 } },
  },
  'GET /api/job/:runId/monitor': {
    summary: 'A websocket: the run as it goes on, all workers together.',
    role: 'viewer',
    group: 'Runs',
    params: runId,
    answers: { 101: { what: 'a websocket' } },
    says: JobMonitorMessage,
    fails: ['too_many', 'cross_site_refused'],
  },
  'POST /api/stop': {
    summary: 'Stops one run, all runs, or whatever some workers run.',
    role: 'operator',
    group: 'Runs',
    body: StopRequest,
    answers: { 202: { json: StopAnswer, what: 'who was told' } },
    fails: ['conflict', 'not_found'],
    examples: {
      all: { body: { all: true }, status: 202 },
      'a worker that is not there': { body: { workers: ['nobody'] }, status: 404 },
      'nothing named': { body: {}, status: 422 },
    },
  },
  'GET /report/:runId': {
    summary:
      'The report for a browser (`Accept: text/html`), or its links as JSON. While the run goes on, the way to its live page.',
    role: 'viewer',
    group: 'Reports',
    params: runId,
    answers: {
      200: { json: ReportAnswer, also: 'text/html', what: 'where its files are, once they are' },
      302: { what: "to the dashboard's page of the run, for a browser while it goes on" },
    },
    examples: { 'of a run': { params: { runId: '{runId}' }, status: 200 } },
  },
  'GET /report/:runId/:file': {
    summary: 'A file of the report: index.html, report.json, junit.xml, stats.csv, log.ndjson.',
    group: 'Reports',
    ...reportFile,
    examples: {
      'as JSON': { params: { runId: '{runId}', file: 'report.json' }, status: 200 },
      'for CI': { params: { runId: '{runId}', file: 'junit.xml' }, status: 200 },
    },
  },
  'GET /api/reporters': {
    summary: 'Reports that lie on this reporter, and the reporters that are alive.',
    role: 'viewer',
    group: 'Reports',
    query: z.strictObject({
      list: z.enum(['reports', 'nodes']).optional().describe('one of the two lists alone'),
    }),
    answers: {
      200: {
        json: z.union([Reporters, z.array(StoredReport), z.array(NodeRecord)]),
        what: 'both, or the list asked for',
      },
    },
    examples: {
      both: { status: 200 },
      reports: { query: { list: 'reports' }, status: 200 },
      nodes: { query: { list: 'nodes' }, status: 200 },
    },
  },
  'GET /api/workers': {
    summary: 'Workers that are alive.',
    role: 'viewer',
    group: 'Fleet',
    answers: { 200: { json: z.array(NodeRecord), what: 'each with its state and its load' } },
    examples: { all: { status: 200 } },
  },
  'GET /api/simulations': {
    summary: 'Registered scripts, each with what it holds or what is wrong with it.',
    role: 'viewer',
    group: 'Scripts',
    answers: { 200: { json: z.array(SimulationEntry), what: 'by name' } },
    examples: { all: { status: 200 } },
  },
  'GET /api/simulations/*': {
    summary: "A registered script's source: what lies in the folder, and what its last good version was made of.",
    role: 'viewer',
    group: 'Scripts',
    params: { path: SimulationName.describe("the script's name; slashes stay slashes") },
    answers: { 200: { json: SimulationSource, what: 'the script and its modules' } },
    examples: {
      'one of them': { params: { path: 'checkout' }, status: 200 },
      'one that is not there': { params: { path: 'nobody-has-this' }, status: 404 },
    },
  },
  'POST /api/compile': {
    summary: 'Checks and bundles what has changed; makes workers ready where they are named.',
    role: 'operator',
    group: 'Scripts',
    body: CompileRequest,
    answers: {
      200: { json: CompileOutcome, what: 'what became of each script' },
      202: {
        json: z.strictObject({ links: z.strictObject({ stream: z.string() }) }),
        what: 'it takes longer; the stream tells how it goes on',
      },
    },
    fails: ['conflict', 'not_found', 'too_many'],
    examples: { all: { body: {}, status: 200 } },
  },
  'GET /api/compile/stream': {
    summary: "A websocket: the compiler's output, line by line, then the outcome.",
    role: 'viewer',
    group: 'Scripts',
    answers: { 101: { what: 'a websocket' } },
    says: CompilerMessage,
    fails: ['too_many', 'cross_site_refused'],
  },
  'GET /api/data': {
    summary: 'Data files beside the simulations. For operators: users and passwords may lie in them.',
    role: 'operator',
    group: 'Data files',
    answers: { 200: { json: z.array(DataFile), what: 'by path' } },
    examples: { all: { status: 200 } },
  },
  'GET /api/data/*': {
    summary: 'A data file, or its first rows.',
    role: 'operator',
    group: 'Data files',
    params: path,
    query: z.strictObject({ preview: z.string().optional().describe('how many rows, 1 to 1000') }),
    answers: {
      200: {
        json: DataPreview,
        also: 'application/octet-stream',
        what: 'with `?preview=`; without it the file itself',
      },
      206: file,
      416: { what: 'the range lies outside' },
    },
    fails: ['conflict'],
    examples: { 'one that is not there': { params: { path: 'nobody-has-this.csv' }, status: 404 } },
  },
  'PUT /api/data/*': {
    summary: 'Uploads a data file; it takes the place of one with the same path, whole and at once.',
    role: 'operator',
    group: 'Data files',
    params: path,
    bodyType: 'application/octet-stream',
    answers: {
      200: { json: UploadedFile, what: 'it took the place of another' },
      201: { json: UploadedFile, what: 'there was none before' },
    },
    fails: ['conflict', 'too_large', 'too_many'],
  },
  'DELETE /api/data/*': {
    summary: 'Removes a data file.',
    role: 'operator',
    group: 'Data files',
    params: path,
    answers: { 204: { what: 'it is gone' } },
    fails: ['conflict'],
    examples: { 'one that is not there': { params: { path: 'nobody-has-this.csv' }, status: 404 } },
  },
  'GET /api/schedules': {
    summary: 'Runs that begin by themselves.',
    role: 'viewer',
    group: 'Schedules',
    answers: { 200: { json: z.array(ScheduleEntry), what: 'each with its next run' } },
    examples: { all: { status: 200 } },
  },
  'POST /api/schedules': {
    summary: 'Makes a schedule, or changes the one with this id.',
    role: 'operator',
    group: 'Schedules',
    body: Schedule,
    answers: { 201: { json: ScheduleEntry, what: 'the schedule' } },
    fails: ['too_many', 'not_found', 'conflict'],
    examples: {
      nightly: {
        body: {
          id: 'nightly',
          cron: '0 3 * * *',
          timezone: 'Europe/Berlin',
          single: { url: 'http://127.0.0.1:7090/json', users: 2, duration: '1m' },
        },
        status: 201,
      },
      'no time': { body: { id: 'never', single: { url: 'http://127.0.0.1:7090/', iterations: 1 } }, status: 422 },
    },
  },
  'DELETE /api/schedules/:id': {
    summary: 'Removes a schedule.',
    role: 'operator',
    group: 'Schedules',
    params: { id: Schedule.shape.id },
    answers: { 204: { what: 'it is gone' } },
    examples: { nightly: { params: { id: 'nightly' }, status: 204 }, none: { params: { id: 'nobody' }, status: 404 } },
  },
  'GET /api/content/:hash': {
    summary: 'What runs are made of, for the workers of this fleet alone.',
    role: 'node',
    group: 'Fleet',
    params: { hash: ContentHash },
    answers: { 200: file, 206: file, 416: { what: 'the range lies outside' } },
    fails: ['forbidden'],
  },
  'GET /queues': {
    summary: 'The queues, to look at.',
    role: 'viewer',
    group: 'Fleet',
    answers: { 200: { type: 'text/html', what: 'the queue dashboard' } },
    examples: { page: { status: 200 } },
  },
  'GET /': {
    summary: 'The dashboard.',
    role: 'viewer',
    group: 'Fleet',
    answers: { 200: { type: 'text/html', what: 'the page' } },
  },
  ...commonEndpoints,
} as const satisfies Endpoints

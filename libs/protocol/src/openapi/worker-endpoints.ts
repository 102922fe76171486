import { z } from 'zod'
import { EngineCompileRequest, Prefetched } from '../compile-outcome.ts'
import { EngineStatus, EngineStopAnswer } from '../engine-status.ts'
import { Started } from '../job.ts'
import { CompilerMessage, EngineMonitorMessage } from '../monitor.ts'
import { RunId } from '../node.ts'
import { RunLogLine } from '../run-log.ts'
import { SimulationRequest } from '../run-request.ts'
import { CompileOutcome } from '../simulation-entry.ts'
import { Single } from '../single.ts'
import { commonEndpoints } from './common-endpoints.ts'
import type { Endpoints } from './endpoint.ts'
import { reportFile } from './report-file.ts'

const group = 'Engine'
const started = { json: Started, what: 'begun; the reporter answers the links' } as const
const log = { type: 'application/x-ndjson', what: 'the run log, gzipped where the client reads that' } as const

/** Everything a worker answers to. */
export const workerEndpoints = {
  'GET /api/engine/status': {
    summary: 'What the engine does, and the machine it runs on.',
    role: 'viewer',
    group,
    answers: { 200: { json: EngineStatus, what: 'now' } },
    examples: { now: { status: 200 } },
  },
  'GET /api/engine/stop': {
    summary: 'Stops what runs here, gently. A bearer token only: a link must not stop anything.',
    role: 'operator',
    group,
    answers: { 200: { json: EngineStopAnswer, what: 'whether something ran' } },
    fails: ['cross_site_refused', 'method_not_allowed'],
    examples: { nothing: { status: 200 } },
  },
  'POST /api/engine/single': {
    summary: 'Runs one request on this worker alone.',
    role: 'operator',
    group,
    body: Single,
    answers: { 202: started },
    fails: ['worker_busy', 'too_many'],
    examples: {
      'fifty requests': { body: { url: 'http://127.0.0.1:7090/json', iterations: 50 }, status: 202 },
      'no load': { body: { url: 'http://127.0.0.1:7090/json' }, status: 422 },
    },
  },
  'POST /api/engine/simulation': {
    summary: 'Runs a simulation on this worker alone.',
    role: 'operator',
    group,
    body: SimulationRequest,
    answers: { 202: started },
    fails: ['worker_busy', 'too_many', 'not_found', 'script_error'],
    examples: { 'a script that nobody has': { body: { simulation: 'nobody-has-this' }, status: 404 } },
  },
  'GET /api/engine/simulation/:runId': {
    summary: "This worker's log of a run, whole or a range of it.",
    role: 'viewer',
    group,
    params: { runId: RunId },
    files: { 'log.ndjson': RunLogLine },
    answers: { 200: log, 206: log, 416: { what: 'the range lies outside' } },
    examples: { none: { params: { runId: 'never-was' }, status: 404 } },
  },
  'GET /report/:runId/:file': {
    summary: 'A file of the report of what this worker ran alone.',
    group,
    ...reportFile,
    examples: { none: { params: { runId: 'never-was', file: 'report.json' }, status: 404 } },
  },
  'GET /api/engine/monitor': {
    summary: "A websocket: the engine's state, and a frame of each second.",
    role: 'viewer',
    group,
    answers: { 101: { what: 'a websocket' } },
    says: EngineMonitorMessage,
    fails: ['too_many', 'cross_site_refused'],
  },
  'POST /api/engine/compile': {
    summary: 'Checks and bundles the scripts of its own folder; for reporters, holds contents ready.',
    role: 'operator',
    group,
    body: EngineCompileRequest,
    answers: { 200: { json: z.union([CompileOutcome, Prefetched]), what: 'what became of it' } },
    fails: ['conflict', 'too_many'],
    examples: { all: { body: {}, status: 200 } },
  },
  'GET /api/engine/compiler': {
    summary: "A websocket: the compiler's output, line by line, then the outcome.",
    role: 'viewer',
    group,
    answers: { 101: { what: 'a websocket' } },
    says: CompilerMessage,
    fails: ['too_many', 'cross_site_refused'],
  },
  ...commonEndpoints,
} as const satisfies Endpoints

import type { z } from 'zod'
import { Assertion } from '../assertion.ts'
import { EngineCompileRequest, Prefetched, WorkerCompile } from '../compile-outcome.ts'
import { ContentHash, Contents } from '../content.ts'
import { DataFile, DataPreview, UploadedFile } from '../data-file.ts'
import { Duration } from '../duration.ts'
import { EngineStatus, EngineStopAnswer } from '../engine-status.ts'
import { Exports } from '../export.ts'
import { Feed } from '../feed.ts'
import { Frame } from '../frame.ts'
import { HttpStep } from '../http-step.ts'
import { Profile } from '../injection.ts'
import { Job, JobTotals, JobWorker, Started } from '../job.ts'
import { JobMonitorMessage } from '../job-monitor.ts'
import { Json } from '../json.ts'
import { Throttle } from '../load.ts'
import { LoginRequest, SessionAnswer, TicketAnswer } from '../login.ts'
import { CompilerMessage, EngineMonitorMessage } from '../monitor.ts'
import { NodeId, NodeRecord, RunId } from '../node.ts'
import { Population, PopulationBooks } from '../plan.ts'
import { Fault, Problem } from '../problem.ts'
import { GeneratorHealth, Report, ReportPlan, ReportWorker, StepSeries } from '../report.ts'
import { RunEnd, RunHeader, RunLogFrame, RunLogLine, WorkerEnd } from '../run-log.ts'
import { CompileRequest, Schedule, SimulationRequest, StopRequest } from '../run-request.ts'
import { Scenario } from '../scenario.ts'
import { ScheduleEntry } from '../schedule-entry.ts'
import { Environment, Simulation } from '../simulation.ts'
import { CompileOutcome, ScriptVersion, SimulationEntry } from '../simulation-entry.ts'
import { SimulationSource, SourceFile, SourceText } from '../simulation-source.ts'
import { Single } from '../single.ts'
import { SqlStep } from '../sql-step.ts'
import { Step } from '../step.ts'
import { ReportAnswer, Reporters, StopAnswer, StoredReport } from '../stored-report.ts'
import { Point, Summary, ThresholdResult } from '../summary.ts'
import { Thresholds } from '../threshold.ts'
import { TraceEvent, TraceMessage } from '../trace.ts'

/** The schemas that have a name in the documents; what has none is written out where it stands. */
export const schemaNames: Readonly<Record<string, z.ZodType>> = {
  Assertion,
  CompileOutcome,
  CompileRequest,
  CompilerMessage,
  ContentHash,
  Contents,
  DataFile,
  DataPreview,
  Duration,
  EngineCompileRequest,
  EngineMonitorMessage,
  EngineStatus,
  EngineStopAnswer,
  Environment,
  Exports,
  Fault,
  Feed,
  Frame,
  GeneratorHealth,
  HttpStep,
  Job,
  JobMonitorMessage,
  JobTotals,
  JobWorker,
  Json,
  LoginRequest,
  NodeId,
  NodeRecord,
  Point,
  Population,
  PopulationBooks,
  Prefetched,
  Problem,
  Profile,
  Report,
  ReportAnswer,
  ReportPlan,
  ReportWorker,
  Reporters,
  RunEnd,
  RunHeader,
  RunId,
  RunLogFrame,
  RunLogLine,
  Scenario,
  Schedule,
  ScheduleEntry,
  ScriptVersion,
  SessionAnswer,
  Simulation,
  SimulationEntry,
  SimulationRequest,
  SimulationSource,
  Single,
  SourceFile,
  SourceText,
  SqlStep,
  Started,
  Step,
  StepSeries,
  StopAnswer,
  StopRequest,
  StoredReport,
  Summary,
  ThresholdResult,
  Thresholds,
  Throttle,
  TicketAnswer,
  TraceEvent,
  TraceMessage,
  UploadedFile,
  WorkerCompile,
  WorkerEnd,
}

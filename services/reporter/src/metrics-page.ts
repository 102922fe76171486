export interface ReporterFigures {
  readonly openRuns: number
  readonly liveRuns: number
  readonly watchers: number
  readonly workers: number
  readonly cpuCores: number
  readonly residentBytes: number
}

const gauges: readonly (readonly [name: string, help: string, of: keyof ReporterFigures])[] = [
  ['onrush_runs_open', 'Runs of the fleet that have not ended.', 'openRuns'],
  ['onrush_runs_live', 'Runs whose frames come to this reporter.', 'liveRuns'],
  ['onrush_monitor_clients', 'Clients that watch runs on this reporter.', 'watchers'],
  ['onrush_workers_alive', 'Workers whose heart beats.', 'workers'],
  ['onrush_process_cpu_cores', 'Cores used by this process.', 'cpuCores'],
  ['onrush_process_resident_bytes', 'Resident memory of this process.', 'residentBytes'],
]

/** What Prometheus scrapes, in its text format. */
export function metricsPage(id: string, figures: ReporterFigures): string {
  return gauges
    .map(([name, help, of]) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name}{node="${id}"} ${figures[of]}\n`)
    .join('')
}

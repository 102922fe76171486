/** Metrics that every run has. A custom metric may not take their names. */
export const builtInMetrics = [
  'duration',
  'service',
  'connect',
  'tls',
  'first_byte',
  'requests',
  'failed',
  'errors',
  'checks',
  'bytes_in',
  'bytes_out',
  'group_duration',
  'pass_duration',
  'passes',
  'started',
  'finished',
  'interrupted',
  'dropped',
  'late',
  'cancelled',
  'send_lag',
  'utilisation',
] as const
export type BuiltInMetric = (typeof builtInMetrics)[number]
export const customKinds = ['counter', 'gauge', 'rate', 'trend'] as const
export type CustomKind = (typeof customKinds)[number]

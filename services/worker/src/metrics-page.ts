import type { LoadReading } from '@onrush/fleet/process-load'
import { engineStates } from '@onrush/protocol/node'
import type { SlotView } from './engine-slot.ts'

interface Gauge {
  readonly name: string
  readonly help: string
  readonly samples: readonly { readonly labels?: string; readonly value: number }[]
}

/** What Prometheus scrapes: one gauge per line, in its text format. */
export function metricsPage(id: string, slot: SlotView, load: LoadReading, resident: number): string {
  const gauges: Gauge[] = [
    {
      name: 'onrush_engine_state',
      help: 'The state of the engine: 1 for the one it is in.',
      samples: engineStates.map(state => ({ labels: `,state="${state}"`, value: slot.state === state ? 1 : 0 })),
    },
    { name: 'onrush_process_cpu_cores', help: 'Cores used by this process.', samples: [{ value: load.cpu }] },
    { name: 'onrush_process_resident_bytes', help: 'Resident memory of this process.', samples: [{ value: resident }] },
    {
      name: 'onrush_host_memory_used_bytes',
      help: 'Memory used on this host.',
      samples: [{ value: load.memory.used }],
    },
  ]
  return gauges
    .flatMap(({ name, help, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} gauge`,
      ...samples.map(({ labels = '', value }) => `${name}{node="${id}"${labels}} ${value}`),
    ])
    .map(line => `${line}\n`)
    .join('')
}

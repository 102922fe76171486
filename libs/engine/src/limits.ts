import { readFile } from 'node:fs/promises'
import { summaryOf } from '@onrush/load/curve'
import { planOf } from '@onrush/load/plan'
import type { ShardPlan } from '@onrush/protocol/plan'
import { seedOf } from './session/seed.ts'

/** What the machine allows; `undefined` where this system does not tell. */
export interface MachineLimits {
  readonly files: number | undefined
  readonly ports: number | undefined
}

/** As Linux tells it. Elsewhere nothing is known, and nothing is warned of. */
export async function readMachineLimits(): Promise<MachineLimits> {
  const [limits, range] = await Promise.all([
    textOf('/proc/self/limits'),
    textOf('/proc/sys/net/ipv4/ip_local_port_range'),
  ])
  const files = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  const [low, high] = range.trim().split(/\s+/).map(Number)
  const known = low !== undefined && high !== undefined && high > low
  return { files: files === undefined ? undefined : Number(files), ports: known ? high - low + 1 : undefined }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    // Not Linux, or not allowed to look: then there is nothing to compare with.
    return ''
  }
}

/** File handles that the process itself uses: its threads, the script, pipes and logs. */
const ownFiles = 100
/** A connection that we closed keeps its port for so long (TIME_WAIT). */
const lingerSeconds = 60

/** What the plan may run into on this machine, in words, before it starts. */
export function limitWarnings(
  plan: Pick<ShardPlan, 'populations' | 'seed'>,
  machine: MachineLimits,
  options: { connectionsPerSession?: boolean } = {},
): string[] {
  let users = 0
  let arrivals = 0
  for (const load of plan.populations) {
    const shape = planOf(load, seedOf(plan.seed, load.name, 'arrivals'))
    const { peak } = summaryOf(shape)
    if (shape.kind !== 'open') users += peak
    else {
      // A session of an open profile lasts as long as the target takes; one second is the least worth warning of.
      users += Math.min(peak, load.maxUsers ?? Number.POSITIVE_INFINITY)
      arrivals += peak
    }
  }
  const { files, ports } = machine
  const warnings: string[] = []
  if (files !== undefined && users + ownFiles > files) {
    warnings.push(
      `about ${Math.ceil(users)} connections at once are planned, but this process may open ${files} files: raise it with "ulimit -n ${Math.ceil((users + ownFiles) / 1000) * 1000}"`,
    )
  }
  const used = options.connectionsPerSession ? Math.max(users, arrivals * lingerSeconds) : users
  if (ports !== undefined && used > ports) {
    warnings.push(
      `about ${Math.ceil(used)} local ports are needed, but this machine has ${ports}: let sessions keep connections, add workers, or widen net.ipv4.ip_local_port_range`,
    )
  }
  return warnings
}

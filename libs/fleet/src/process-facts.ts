import { availableParallelism, cpus, hostname, totalmem } from 'node:os'
import type { Machine } from '@onrush/protocol/run-log'
import type { Usage } from './process-load.ts'

/** What a node tells of its process. */
export interface ProcessFacts extends Usage {
  readonly version: string
  readonly nodeVersion: string
  readonly platform: string
  residentBytes(): number
}

type Told = Pick<NodeJS.Process, 'version' | 'platform' | 'arch' | 'cpuUsage' | 'memoryUsage'>

/** `told`: the process itself, which only a service's entry touches. */
export const processFacts = (told: Told, version: string): ProcessFacts => ({
  version,
  nodeVersion: told.version,
  platform: `${told.platform} ${told.arch}`,
  cpuMicros: () => {
    const { user, system } = told.cpuUsage()
    return user + system
  },
  nowMs: () => performance.now(),
  residentBytes: () => told.memoryUsage.rss(),
})

export const machineOf = ({ version, nodeVersion, platform }: ProcessFacts): Machine => ({
  hostname: hostname(),
  platform,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  memory: totalmem(),
  node: nodeVersion,
  onrush: version,
})

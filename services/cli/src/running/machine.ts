import { arch, availableParallelism, cpus, hostname, platform, totalmem } from 'node:os'
import type { Machine } from '@onrush/protocol/run-log'
import { version } from '../version.ts'

export function describeMachine(nodeVersion: string): Machine {
  return {
    hostname: hostname(),
    platform: `${platform()} ${arch()}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memory: totalmem(),
    node: nodeVersion,
    onrush: version(),
  }
}

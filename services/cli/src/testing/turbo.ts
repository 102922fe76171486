import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { Io } from '../io.ts'
import type { Outcome } from './outcome.ts'

interface Summary {
  tasks: {
    taskId: string
    command: string
    logFile: string
    cache: { status: string }
    execution?: { startTime: number; endTime: number; exitCode: number | null }
  }[]
}

/** Children find `node` by name (npm's scripts do): they must find the one that runs us, not an older one. */
export function childEnv(io: Io): Record<string, string | undefined> {
  return { ...io.env, PATH: [dirname(io.node), io.env.PATH ?? ''].join(delimiter) }
}

/** Runs tasks of turbo.json and tells how each ended. What did not change since it last passed comes from turbo's cache. */
export async function runTurbo(root: string, tasks: readonly string[], io: Io): Promise<Outcome[]> {
  const turbo = join(root, 'node_modules/turbo/bin/turbo')
  const args = [
    'run',
    ...tasks,
    '--continue',
    '--summarize',
    '--output-logs=full',
    '--log-order=grouped',
    '--ui=stream',
  ]
  const child = spawn(io.node, [turbo, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...childEnv(io),
      TURBO_TELEMETRY_DISABLED: '1',
      DO_NOT_TRACK: '1',
      NO_COLOR: '1',
      TURBO_NO_UPDATE_NOTIFIER: '1',
    },
  })
  let output = ''
  const collect = (chunk: string) => {
    output += chunk
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  await once(child, 'close')
  // The summary is turbo's own record of exit codes; its printed text is for people and changes with each version.
  const file = /^Summary:\s+(.+\.json)\s*$/m.exec(output)?.[1]
  if (file === undefined || !existsSync(file))
    return [{ name: `turbo ${tasks.join(' ')}`, passed: false, note: '', output }]
  const summary: Summary = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(file)
  return summary.tasks
    .filter(task => task.command !== '<NONEXISTENT>')
    .map(({ taskId, logFile, cache, execution }) => ({
      name: taskId.replace(/^\/\/#/, ''),
      passed: execution?.exitCode === 0,
      note: cache.status === 'HIT' ? 'unchanged' : seconds(execution),
      output: existsSync(join(root, logFile)) ? readFileSync(join(root, logFile), 'utf8') : output,
    }))
}

function seconds(execution: { startTime: number; endTime: number } | undefined): string {
  return execution ? `${((execution.endTime - execution.startTime) / 1000).toFixed(1)} s` : 'not run'
}

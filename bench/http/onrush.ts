import { runLocal } from '@onrush/engine/run'
import { summarise } from '@onrush/metrics/summary'
import type { HttpStep } from '@onrush/protocol/http-step'
import { Simulation } from '@onrush/protocol/simulation'
import { type Contender, onClientCore, type Said, type Task } from './contender.ts'

type Written = Pick<HttpStep, 'headers' | 'assert' | 'export' | 'discardBody'>

const steps: Record<Task, Written> = {
  bare: { discardBody: true },
  flow: {
    headers: { authorization: 'Bearer {{$._j.token}}' },
    assert: { '$.status': 200, '$.entity.ok': true },
    export: { id: '$.entity.id' },
  },
}

/** The generator, in a process of its own with one thread, as `onrush run` is. Prints what it counted. */
export async function runOnrush(task: Task, url: string, sessions: number, seconds: number): Promise<void> {
  const simulation = Simulation.parse({
    variables: { token: 't-1' },
    loop: { forever: true },
    inject: [{ type: 'constantConcurrentUsers', users: sessions, duration: `${seconds}s` }],
    scenarios: [{ name: 'bench', steps: [{ type: 'http', name: task, url, ...steps[task] }] }],
  })
  const loaded = { simulation, source: { spec: simulation } }
  const { totals } = await runLocal(loaded, { runId: 'bench-http', threads: 1 }).result
  const { whole } = summarise(totals)
  const said: Said = { requests: whole.count, perSecond: whole.count / seconds, errors: whole.ko }
  console.log(JSON.stringify(said))
}

export const onrush = (bench: string): Contender => ({
  name: 'onrush',
  tasks: ['bare', 'flow'],
  prepare: () => Promise.resolve(undefined),
  async run({ task, url, sessions, seconds, folder }) {
    const args = [bench, 'onrush', task, url, String(sessions), String(seconds)]
    const { stdout, cpuSeconds } = await onClientCore(process.execPath, args, folder)
    const said: Said = JSON.parse(stdout)
    return { ...said, cpuSeconds }
  },
})

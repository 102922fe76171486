import { askForIndex } from '../feeder/feed-indexes.ts'
import type { TargetGuard } from '../http/target-guard.ts'
import type { TraceEvent } from '../session/trace.ts'
import type { FromThread, ToThread } from './control.ts'
import { prepare } from './prepare.ts'
import type { ThreadTask } from './task.ts'

type CheckTask = Extract<ThreadTask, { kind: 'check' }>

/** One session of each population, one after the other, every event of it told. Answers whether all went well. */
export async function runCheck(
  { plan, setup, memory, port, feeds }: CheckTask,
  guard: TargetGuard | undefined,
): Promise<boolean> {
  const say = (message: FromThread): void => port.postMessage(message)
  const prepared = await prepare(plan, { thread: 0, threads: 1 }, memory, {
    onSample: () => undefined,
    onIdle: () => undefined,
    indexFile: askForIndex(feeds),
    guard,
  })
  prepared.workshop.clock.begin(performance.timeOrigin + performance.now())
  port.on('message', (message: ToThread) => {
    if (message.type !== 'abort') return
    for (const population of prepared.populations) population.interrupt()
  })
  let ok = true
  for (const population of prepared.populations) {
    population.setUp(setup)
    const over = Promise.withResolvers<void>()
    const trace = (event: TraceEvent): void => {
      if (event.type === 'end') ok &&= event.ok
      say({ type: 'trace', session: population.name, event })
    }
    const due = performance.now()
    population.start({ number: 1, user: 1, iteration: 1, arrival: 1, due, planned: false }, () => over.resolve(), trace)
    await over.promise
  }
  await prepared.close()
  return ok
}

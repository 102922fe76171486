import { askForIndex } from '../feeder/feed-indexes.ts'
import type { TargetGuard } from '../http/target-guard.ts'
import { Slice } from '../slice.ts'
import type { FromThread, ToThread } from './control.ts'
import { prepare } from './prepare.ts'
import { sessionTracer } from './session-tracer.ts'
import type { ThreadTask } from './task.ts'

type SliceTask = Extract<ThreadTask, { kind: 'slice' }>

/** One thread's life in a run: prepared, ready, started, told things while it runs, over. Answers notes for people. */
export async function runSlice(task: SliceTask, guard: TargetGuard | undefined): Promise<string[]> {
  const { plan, thread, memory, port } = task
  const say = (message: FromThread): void => port.postMessage(message)
  const place = { thread, threads: plan.threads }
  const started = Promise.withResolvers<boolean>()
  let slice: Slice | undefined
  const tracer = sessionTracer(
    thread,
    () => performance.now(),
    (session, event) => say({ type: 'trace', session, event }),
  )
  const prepared = await prepare(plan, place, memory, {
    onSample: sample => say({ type: 'sample', sample }),
    onIdle: () => slice?.idle(),
    indexFile: askForIndex(task.feeds),
    guard,
    ...(plan.verbose === true ? { tracer } : {}),
  })
  const { workshop, populations } = prepared
  port.on('message', (message: ToThread) => {
    switch (message.type) {
      case 'start':
        for (const population of populations) population.setUp(message.setup)
        workshop.clock.begin(message.at)
        slice = new Slice({
          plan,
          place,
          clock: workshop.clock,
          populations,
          onUtilisation: share => workshop.recorder.generator.utilisation(share),
          onReassign: prepared.reassignSlots,
        })
        started.resolve(true)
        break
      case 'stop':
        slice?.stop(message.graceMs)
        started.resolve(false)
        break
      case 'abort':
        slice?.abort()
        started.resolve(false)
        break
      case 'reassign':
        slice?.reassign(message.share, message.at)
        break
      default:
        message satisfies never
    }
  })
  say({ type: 'ready' })
  await started.promise
  const notes = (await slice?.run()) ?? []
  await prepared.close()
  return notes
}

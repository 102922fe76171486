import { fileURLToPath } from 'node:url'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { TargetRules } from '@onrush/protocol/targets'
import { Piscina } from 'piscina'
import { FeedIndexes } from '../feeder/feed-indexes.ts'
import type { TaskResult, ThreadTask } from '../thread/task.ts'

const entry = fileURLToPath(new URL('../thread/slice-thread.ts', import.meta.url))

// A thread that reaches its limit gets 16 MB more to end in. Left to itself, the young generation grows until it can
// promote more than that at once, and then the whole process aborts instead of the thread (Node 24).
const youngMb = 24

// V8 lets a heap grow between collections by a factor that follows from its limit: 4 from 2 GB on, 1.6 at 1 GB. With ten
// thousand sessions (some 130 MB live) that is the difference between 580 MB and 355 MB resident.
const defaultOldMb = 1024

type WithoutPort<T> = T extends unknown ? Omit<T, 'port' | 'feeds' | 'targets'> : never
export type TaskOf = WithoutPort<ThreadTask>

/** Of the whole process: a run's threads share them, and so do the runs that follow. */
const indexes = new FeedIndexes()

/** A task that runs in a thread of its own, and our end of the line to it. */
export interface RunningTask {
  readonly port: MessagePort
  /** Rejects when the thread dies: out of memory, an error that nobody caught, or by force. */
  readonly result: Promise<TaskResult>
  /** The last rung: ends the thread, not the task. */
  kill(): void
}

/** The threads of one shard. Each takes one task and is gone after it, so that nothing of a run stays in memory. */
export class ThreadPool {
  readonly #pool: Piscina
  readonly #targets: TargetRules | undefined

  constructor(threads: number, memoryMb = defaultOldMb, targets?: TargetRules) {
    this.#targets = targets
    this.#pool = new Piscina({
      filename: entry,
      minThreads: 0,
      maxThreads: threads,
      concurrentTasksPerWorker: 1,
      // Anything else stops the thread's event loop whenever it waits for a task.
      atomics: 'disabled',
      idleTimeout: 0,
      recordTiming: false,
      resourceLimits: {
        maxYoungGenerationSizeMb: youngMb,
        maxOldGenerationSizeMb: memoryMb,
      },
    })
    // A task's own promise tells of its thread's death; this says it again, of a thread that had no task any more.
    this.#pool.on('error', () => undefined)
  }

  start(task: TaskOf): RunningTask {
    const { port1, port2 } = new MessageChannel()
    const feeds = new MessageChannel()
    indexes.serve(feeds.port1)
    const killer = new AbortController()
    const result: Promise<TaskResult> = this.#pool.run(
      { ...task, port: port2, feeds: feeds.port2, targets: this.#targets },
      { transferList: [port2, feeds.port2], signal: killer.signal },
    )
    return { port: port1, result, kill: () => killer.abort() }
  }

  /** Ends all threads at once. */
  async end(): Promise<void> {
    await this.#pool.destroy()
  }
}

import { interruptRemaining } from '@onrush/metrics/recorder'
import { fromProblem, OnrushError } from '@onrush/protocol/error'
import type { FailureSample } from '@onrush/protocol/frame'
import type { ThreadCrash } from '@onrush/protocol/plan'
import { errorWords } from '../error-words.ts'
import type { TraceEvent } from '../session/trace.ts'
import type { FromThread, ToThread } from '../thread/control.ts'
import type { TaskResult } from '../thread/task.ts'
import type { RunningTask } from './thread-pool.ts'

/** One thread of a shard as its main thread sees it. */
export class ShardThread {
  readonly memory: SharedArrayBuffer
  /** Rejects when the thread cannot be made ready. */
  readonly ready: Promise<void>
  /** When its task is over, whichever way. Never rejects. */
  readonly over: Promise<void>
  crash: ThreadCrash | undefined = undefined
  notes: readonly string[] = []
  readonly #index: number
  readonly #task: RunningTask
  #killed: string | undefined = undefined
  #isOver = false

  constructor(
    index: number,
    memory: SharedArrayBuffer,
    task: RunningTask,
    hooks: {
      now: () => number
      onSample: (sample: FailureSample) => void
      onCrash: (crash: ThreadCrash) => void
      onTrace?: ((session: string, event: TraceEvent) => void) | undefined
    },
  ) {
    this.#index = index
    this.memory = memory
    this.#task = task
    const ready = Promise.withResolvers<void>()
    this.ready = ready.promise
    task.port.on('message', (message: FromThread) => {
      switch (message.type) {
        case 'ready':
          ready.resolve()
          break
        case 'sample':
          hooks.onSample(message.sample)
          break
        case 'trace':
          hooks.onTrace?.(message.session, message.event)
          break
        default:
          message satisfies never
      }
    })
    this.over = task.result.then(
      result => this.#ended(result, ready),
      (error: unknown) => {
        this.crash = { thread: index, at: hooks.now(), message: this.#killed ?? crashMessage(error) }
        ready.reject(new OnrushError('run_failed', `thread ${index} died while it was prepared: ${this.crash.message}`))
        hooks.onCrash(this.crash)
      },
    )
    this.over = this.over.finally(() => {
      this.#isOver = true
      task.port.close()
      // What it had started and cannot end any more is interrupted: the books of a dead thread balance too.
      interruptRemaining(memory)
    })
    // Whoever prepares threads waits for all of them at once; a second one that fails has nobody listening.
    this.ready.catch(() => undefined)
  }

  get index(): number {
    return this.#index
  }

  get isOver(): boolean {
    return this.#isOver
  }

  tell(message: ToThread): void {
    if (!this.#isOver) this.#task.port.postMessage(message)
  }

  kill(why: string): void {
    if (this.#isOver) return
    this.#killed = why
    this.#task.kill()
  }

  #ended(result: TaskResult, ready: PromiseWithResolvers<void>): void {
    if (result.ok) {
      this.notes = result.notes
      ready.resolve()
      return
    }
    const error = fromProblem(result.problem)
    this.crash = { thread: this.#index, at: 0, message: error.message }
    ready.reject(error)
  }
}

function crashMessage(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return 'it ran out of memory: a script that keeps what it reads, or more sessions than a thread can hold'
  }
  return errorWords(error)
}

import type { MessagePort } from 'node:worker_threads'
import type { Json } from '@onrush/protocol/json'
import type { ShardPlan } from '@onrush/protocol/plan'
import type { Problem } from '@onrush/protocol/problem'
import type { TargetRules } from '@onrush/protocol/targets'

interface Task {
  readonly plan: ShardPlan
  readonly memory: SharedArrayBuffer
  readonly port: MessagePort
  /** Where the thread asks for the indexes of feeds, which it shares with the others. */
  readonly feeds: MessagePort
  /** This host's own setting, which no plan can change; not set where everything may be reached. */
  readonly targets: TargetRules | undefined
}

/** What a thread can be asked to do. */
export type ThreadTask =
  | (Task & { readonly kind: 'slice'; readonly thread: number })
  | (Task & { readonly kind: 'check'; readonly setup: Json })
  | (Task & { readonly kind: 'setup' })
  | (Task & { readonly kind: 'teardown'; readonly setup: Json })

/** Errors cross a thread boundary as data: cloned, they would lose their code and their places. */
export type TaskResult = { ok: true; notes: string[]; value: Json } | { ok: false; problem: Problem }

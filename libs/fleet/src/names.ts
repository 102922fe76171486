/**
 * Every name we use in Redis. The braces make it one hash slot, so that Redis Cluster accepts our scripts and queues;
 * what follows a name's last colon is an id, which by its schema holds no colon.
 */
export const prefix = '{onrush}'

export const names = {
  secret: `${prefix}:secret`,
  nodes: `${prefix}:nodes`,
  heartbeat: (node: string) => `${prefix}:heartbeat:${node}`,
  /** Node to the incarnation of it that beat last: what a reaper buries. */
  incarnations: `${prefix}:incarnations`,
  /** Incarnations of a node that a reaper has given up: one that comes back must end what it runs. */
  buried: (node: string) => `${prefix}:buried:${node}`,
  reservations: `${prefix}:reservations`,
  tickets: `${prefix}:tickets`,
  ticketNumber: `${prefix}:ticket-number`,
  wishes: `${prefix}:wishes`,
  shards: (run: string) => `${prefix}:shards:${run}`,
  run: (run: string) => `${prefix}:run:${run}`,
  openRuns: `${prefix}:runs:open`,
  endedRuns: `${prefix}:runs:ended`,
  stop: (run: string) => `${prefix}:stop:${run}`,
  /** Why a run was ended although nobody asked for it: then it has failed, and was not stopped. */
  failure: (run: string) => `${prefix}:failure:${run}`,
  ready: (run: string) => `${prefix}:ready:${run}`,
  start: (run: string) => `${prefix}:start:${run}`,
  setup: (run: string) => `${prefix}:setup:${run}`,
  frames: (run: string, shard: number) => `${prefix}:frames:${run}:${shard}`,
  blob: (hash: string) => `${prefix}:blob:${hash}`,
  idempotency: (keyHash: string) => `${prefix}:idempotency:${keyHash}`,
  reaper: `${prefix}:reaper`,
  /** Which reporter follows a run: keeps its record, its thresholds and its limits. */
  follower: (run: string) => `${prefix}:follower:${run}`,
} as const

export const channels = {
  /** Start, stop, abort and ownership: small, and heard by every node. Frames never travel here (their number times N). */
  control: `${prefix}:control`,
  monitor: (run: string) => `${prefix}:monitor.${run}`,
  compiler: (node: string) => `${prefix}:compiler.${node}`,
} as const

export const runsQueue = 'runs'
export const schedulesQueue = 'schedules'
export const callbacksQueue = 'callbacks'
export const workerQueue = (worker: string) => `worker.${worker}`

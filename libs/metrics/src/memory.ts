import { OnrushError } from '@onrush/protocol/error'
import { limits } from '@onrush/protocol/limits'
import { alignedWords, blocks, type RowKind } from './blocks.ts'

/** How many different things one thread keeps apart; what comes after is folded into `(other)`. */
export interface Bounds {
  steps: number
  groups: number
  populations: number
  /** Names of custom metrics. */
  metrics: number
  /** Combinations of tags, over all custom metrics. */
  tagged: number
}

export const defaultBounds: Bounds = {
  steps: limits.metricNames.value,
  groups: 100,
  populations: 100,
  metrics: 100,
  tagged: 200,
}

const layoutVersion = 0x6f6e7201
export const stringBytes = 8 * 1024 * 1024
export const stringSlots = 65_536

/** Words at the start of the memory. */
export const head = {
  layout: 0,
  rows: 1,
  rowLimit: 2,
  strings: 3,
  stringsEnd: 4,
  arenaEnd: 5,
  bounds: 6,
} as const
const headWords = 64
export const rowWords = 8

export interface Places {
  readonly rows: number
  readonly stringTable: number
  readonly stringBytes: number
  readonly arena: number
}

function places(rowLimit: number): Places {
  const rows = headWords
  const stringTable = rows + rowLimit * rowWords
  const bytes = stringTable + stringSlots * 2
  return { rows, stringTable, stringBytes: bytes, arena: alignedWords(bytes + stringBytes / 4) }
}

const boundNames = ['steps', 'groups', 'populations', 'metrics', 'tagged'] as const

function rowsOf(bounds: Bounds): number {
  // One `(other)` for each kind: steps, groups, populations, four kinds of metrics; and the generator's own row.
  return bounds.steps + bounds.groups + bounds.populations + bounds.metrics + bounds.tagged + 8
}

function reserve(bytes: number): SharedArrayBuffer {
  try {
    return new SharedArrayBuffer(bytes)
  } catch (cause) {
    // A limit on addresses (ulimit -v, strict overcommit), not on memory in use.
    const megabytes = Math.ceil(bytes / 1e6)
    const detail = `expected ${megabytes} MB of address space for a thread's counters, of which little is used; raise the limit on virtual memory, or lower the bounds`
    throw new OnrushError('capacity', detail, { cause })
  }
}

/**
 * One thread's memory. It is large (about 400 MB with the default bounds) and almost free: the system hands out its
 * pages when they are first written, 4 KB for each octave of each histogram that counts something.
 */
export function allocateMemory(bounds: Partial<Bounds> = {}): SharedArrayBuffer {
  const wanted = { ...defaultBounds, ...bounds }
  for (const name of boundNames) {
    if (!Number.isInteger(wanted[name]) || wanted[name] < 1 || wanted[name] > 5000) {
      throw new OnrushError('invalid', `expected 1 to 5000 ${name}, got ${wanted[name]}`)
    }
  }
  const rowLimit = rowsOf(wanted)
  const room = (kind: RowKind, count: number) => blocks[kind].words * count
  const arena =
    room('step', wanted.steps + 1) +
    room('group', wanted.groups + 1) +
    room('population', wanted.populations + 1) +
    room('generator', 1) +
    room('trend', wanted.metrics + wanted.tagged + 4)
  const { arena: start } = places(rowLimit)
  const memory = reserve((start + arena) * 4)
  const words = new Uint32Array(memory)
  words[head.rowLimit] = rowLimit
  words[head.arenaEnd] = start
  boundNames.forEach((name, i) => {
    words[head.bounds + i] = wanted[name]
  })
  Atomics.store(words, head.layout, layoutVersion)
  return memory
}

export interface OpenMemory {
  readonly words: Uint32Array
  readonly bytes: Uint8Array
  readonly bounds: Bounds
  readonly places: Places
}

export function openMemory(memory: SharedArrayBuffer): OpenMemory {
  const words = new Uint32Array(memory)
  if (Atomics.load(words, head.layout) !== layoutVersion) {
    throw new OnrushError('internal', 'expected the memory of a recorder from allocateMemory(), got another buffer')
  }
  const at = (i: number) => words[head.bounds + i] ?? 0
  return {
    words,
    bytes: new Uint8Array(memory),
    bounds: { steps: at(0), groups: at(1), populations: at(2), metrics: at(3), tagged: at(4) },
    places: places(words[head.rowLimit] ?? 0),
  }
}

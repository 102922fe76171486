import type { TraceEvent, TraceMessage } from '@onrush/protocol/trace'

const everyMs = 250
/** A message of at most some hundred kilobytes, four times a second: enough to read along, too little to get in the way. */
const mostEvents = 200
const mostBytes = 256 * 1024

/** Gathers what a verbose run tells of its sessions into a few messages; what finds no room is counted. */
export class TraceBatch {
  readonly #worker: string
  readonly #send: (message: TraceMessage) => void
  #events: TraceMessage['events'] = []
  #bytes = 0
  #leftOut = 0
  #timer: NodeJS.Timeout | undefined

  constructor(worker: string, send: (message: TraceMessage) => void) {
    this.#worker = worker
    this.#send = send
  }

  add(session: string, event: TraceEvent): void {
    const size = JSON.stringify(event).length
    if (this.#events.length >= mostEvents || this.#bytes + size > mostBytes) {
      this.#leftOut++
      return
    }
    this.#events.push({ session, event })
    this.#bytes += size
    this.#timer ??= setTimeout(() => this.flush(), everyMs)
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#events.length === 0) return
    const message: TraceMessage = { type: 'trace', worker: this.#worker, events: this.#events, leftOut: this.#leftOut }
    this.#events = []
    this.#bytes = 0
    this.#leftOut = 0
    this.#send(message)
  }
}

import { freemem, loadavg, totalmem } from 'node:os'

export interface LoadReading {
  /** Share of one core that this process used since the last reading. */
  readonly cpu: number
  readonly memory: { readonly total: number; readonly used: number }
  /** Of the host, over a minute. */
  readonly average: number
}

export interface Usage {
  cpuMicros(): number
  nowMs(): number
}

/** Reads how busy this process and its host are; each reading covers the time since the one before. */
export class ProcessLoad {
  readonly #usage: Usage
  #cpu: number
  #at: number
  #last = 0

  constructor(usage: Usage) {
    this.#usage = usage
    this.#cpu = usage.cpuMicros()
    this.#at = usage.nowMs()
  }

  read(): LoadReading {
    const cpu = this.#usage.cpuMicros()
    const at = this.#usage.nowMs()
    // Two readings within a blink would divide noise by nothing.
    if (at - this.#at >= 100) {
      this.#last = (cpu - this.#cpu) / 1000 / (at - this.#at)
      this.#cpu = cpu
      this.#at = at
    }
    const total = totalmem()
    return {
      cpu: Math.max(0, this.#last),
      memory: { total, used: total - freemem() },
      average: Math.max(0, loadavg()[0] ?? 0),
    }
  }
}

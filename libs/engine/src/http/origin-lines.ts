import type { Exchange } from './exchange.ts'
import type { Line, LineOwner, LineSettings } from './line.ts'

/** Streams on one HTTP/2 connection before another one is opened; what servers commonly allow. */
const streamsPerLine = 100

export type OpenLine = (settings: LineSettings, owner: LineOwner) => Line

/** It is agreed on within TLS. */
export const mayBeHttp2 = ({ http2, origin }: LineSettings): boolean => http2 && origin.startsWith('https:')

/**
 * The connections to one origin. As many are open as there were exchanges at a time, up to a limit: a free one is used
 * again, the most recently used first, so that those beyond the need grow idle and close.
 */
export class OriginLines {
  readonly #settings: LineSettings
  readonly #most: number
  readonly #openLine: OpenLine
  readonly #all = new Set<Line>()
  readonly #free: Line[] = []
  readonly #waiting: Exchange[] = []
  #mayShare: boolean

  constructor(settings: LineSettings, most: number, openLine: OpenLine) {
    this.#settings = settings
    this.#most = most
    this.#openLine = openLine
    this.#mayShare = mayBeHttp2(settings)
  }

  /** Nothing is open or under way. */
  get isEmpty(): boolean {
    return this.#all.size === 0 && this.#waiting.length === 0
  }

  send(exchange: Exchange): void {
    const line = this.#lineFor(exchange)
    if (line === undefined) this.#waiting.push(exchange)
    else line.send(exchange)
  }

  freed(line: Line): void {
    const { isUsable } = line
    if (!isUsable && line.running === 0) this.#all.delete(line)
    if (isUsable && line.running === 0) {
      const next = this.#nextWaiting()
      if (next !== undefined) line.send(next)
      else if (!line.isShared) this.#free.push(line)
      return
    }
    // Not at once: with a target that refuses at once, each failure would nest the next one in itself. Nor is it said
    // now who comes next: what ends this one may end that one too before its turn.
    if (this.#waiting.length > 0) queueMicrotask(() => this.#sendNext())
  }

  close(): void {
    for (const line of this.#all) line.destroy()
    this.#all.clear()
    this.#free.length = 0
  }

  /** Those that have stood idle for too long: the ones used least recently are first. */
  closeIdle(now: number): void {
    let count = 0
    for (const line of this.#free) {
      if (line.isUsable && now < line.idleUntil) break
      this.#drop(line)
      count++
    }
    this.#free.splice(0, count)
  }

  #lineFor(exchange: Exchange): Line | undefined {
    return this.#shared() ?? this.#idle(exchange.askedAt) ?? this.#fresh()
  }

  #sendNext(): void {
    const next = this.#nextWaiting()
    if (next === undefined) return
    const line = this.#lineFor(next)
    if (line === undefined) this.#waiting.unshift(next)
    else line.send(next)
  }

  #drop(line: Line): void {
    this.#all.delete(line)
    line.destroy()
  }

  #idle(now: number): Line | undefined {
    for (let line = this.#free.pop(); line !== undefined; line = this.#free.pop()) {
      if (line.isUsable && now < line.idleUntil) return line
      this.#drop(line)
    }
    return undefined
  }

  /** While the first connection is being opened nobody knows what it will speak, so the others wait for it. */
  #shared(): Line | undefined {
    if (!this.#mayShare) return undefined
    for (const line of this.#all) {
      // One that died while idle: nobody has told us, and it must not count as open.
      if (line.running === 0 && !line.isUsable) {
        this.#drop(line)
        continue
      }
      if (line.isUsable && !line.isShared) {
        this.#mayShare = false
        return undefined
      }
      if (line.running < streamsPerLine && (line.isDialling || line.isUsable)) return line
    }
    return undefined
  }

  #fresh(): Line | undefined {
    if (this.#all.size >= this.#most) return undefined
    const line = this.#openLine(this.#settings, this)
    this.#all.add(line)
    return line
  }

  #nextWaiting(): Exchange | undefined {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (!next.isDone) return next
    }
    return undefined
  }
}

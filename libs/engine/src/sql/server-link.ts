import type { Socket } from 'node:net'
import type { RawConnections } from './open-knex.ts'

/** What every driver that speaks to a server has on its connections. */
export interface RawServerConnection {
  on(event: 'end' | 'error', heard: () => void): void
}

/** What a link to a server is, whichever driver speaks over it. */
export abstract class ServerLink<Raw extends RawServerConnection> {
  protected readonly raw: Raw
  readonly #raws: RawConnections<Raw>
  readonly #socket: Socket
  #ended = false

  /** `socket`: the one that bytes go over after the login, which encryption has replaced by then. */
  constructor(raw: Raw, socket: Socket, raws: RawConnections<Raw>) {
    this.raw = raw
    this.#socket = socket
    this.#raws = raws
    const end = () => {
      this.#ended = true
    }
    raw.on('end', end)
    raw.on('error', end)
  }

  discard(why: string): void {
    this.#socket.destroy()
    this.#raws.discard(this.raw, why)
  }

  get usable(): boolean {
    return !this.#ended && !this.#socket.destroyed
  }

  get bytesIn(): number {
    return this.#socket.bytesRead
  }

  get bytesOut(): number {
    return this.#socket.bytesWritten
  }
}

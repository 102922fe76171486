import type { Socket } from 'node:net'

const graceMs = 1000

/** The sockets of a database, so that one which nobody answers on does not hold up the end of a run. */
export class Sockets {
  readonly #open = new Set<Socket>()

  track(socket: Socket): Socket {
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    return socket
  }

  /** Waits for a farewell, and cuts what has not ended by then. */
  async closedBy(farewell: Promise<void>): Promise<void> {
    const timer = setTimeout(() => {
      for (const socket of this.#open) socket.destroy()
    }, graceMs)
    try {
      await farewell
    } finally {
      clearTimeout(timer)
    }
  }
}

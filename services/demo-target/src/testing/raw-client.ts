import { connect, type Socket } from 'node:net'

/** A whole response, read from the bytes without any library: what tests compare must not be tidied up on the way. */
export interface RawResponse {
  readonly status: number
  readonly head: string
  readonly body: Buffer
}

/** A bare connection for tests: sends any bytes, cut anywhere, and reads responses that carry a content-length. */
export class RawClient {
  readonly socket: Socket
  #bytes = Buffer.alloc(0)
  #ended = false
  #changed: () => void = () => {}

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', chunk => {
      this.#bytes = Buffer.concat([this.#bytes, chunk])
      this.#changed()
    })
    const end = () => {
      this.#ended = true
      this.#changed()
    }
    // A reset is an end like any other to a test, which looks at what had come until then.
    socket.on('close', end).on('error', end)
  }

  static async to(url: string): Promise<RawClient> {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return new RawClient(socket)
  }

  /** Resolves when the kernel has the bytes, so that the next piece leaves on its own. */
  send(bytes: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.write(bytes, 'latin1', error => (error ? reject(error) : resolve()))
    })
  }

  async responses(count: number): Promise<RawResponse[]> {
    const responses: RawResponse[] = []
    while (responses.length < count) {
      const response = this.#take()
      if (response !== undefined) responses.push(response)
      else if (this.#ended) throw new Error(`the connection ended after ${responses.length} of ${count} responses`)
      else await this.#change()
    }
    return responses
  }

  /** Everything that comes until the connection ends. */
  async rest(): Promise<string> {
    while (!this.#ended) await this.#change()
    return this.#bytes.toString('latin1')
  }

  close(): void {
    this.socket.destroy()
  }

  #change(): Promise<void> {
    return new Promise(resolve => {
      this.#changed = resolve
    })
  }

  #take(): RawResponse | undefined {
    const end = this.#bytes.indexOf('\r\n\r\n')
    if (end === -1) return undefined
    const head = this.#bytes.subarray(0, end).toString('latin1')
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
    const from = end + 4
    if (this.#bytes.length < from + length) return undefined
    const body = this.#bytes.subarray(from, from + length)
    this.#bytes = this.#bytes.subarray(from + length)
    return { status: Number(head.slice(9, 12)), head, body }
  }
}

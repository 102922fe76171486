import { connectRedis, type OnRedisError, type Purpose, type Redis } from './redis.ts'

/** A node's connections to Redis, so that all of them end with it. */
export class Connections {
  readonly #url: string
  readonly #open: Redis[] = []
  readonly onError: OnRedisError

  constructor(url: string, onError: OnRedisError) {
    this.#url = url
    this.onError = onError
  }

  async open(purpose: Purpose): Promise<Redis> {
    const connection = await connectRedis(this.#url, purpose, this.onError)
    this.#open.push(connection)
    return connection
  }

  end(): void {
    for (const connection of this.#open) connection.disconnect()
  }
}

/** Opens what a node needs and begins it; where it cannot begin, nothing stays open. */
export async function withConnections<T>(
  url: string,
  onError: OnRedisError,
  begin: (connections: Connections) => Promise<T>,
): Promise<T> {
  const connections = new Connections(url, onError)
  try {
    return await begin(connections)
  } catch (error) {
    connections.end()
    throw error
  }
}

import { backoffMs } from './backoff.ts'
import { answered } from './reachable.ts'
import { apiUrl, probe } from './request.ts'

/** After this long without a word the line is taken for dead: a run speaks once a second. */
const silenceMs = 15_000

export interface StreamOptions<T> {
  readonly onMessage: (message: T) => void
  readonly onOpen?: () => void
}

/** A websocket that comes back by itself. Gives what closes it for good. */
export function openStream<T>(path: string, { onMessage, onOpen }: StreamOptions<T>): () => void {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let attempts = 0
  let closed = false

  const listen = () => {
    clearTimeout(silence)
    silence = setTimeout(() => socket?.close(), silenceMs)
  }
  const connect = () => {
    const url = apiUrl(path)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    const mine = new WebSocket(url)
    socket = mine
    mine.onopen = () => {
      attempts = 0
      answered()
      listen()
      onOpen?.()
    }
    mine.onmessage = ({ data }) => {
      if (closed || typeof data !== 'string') return
      listen()
      onMessage(JSON.parse(data))
    }
    mine.onclose = () => {
      clearTimeout(silence)
      if (closed) return
      // A line may break alone; whether the reporter is there at all, it is asked itself.
      probe()
      timer = setTimeout(connect, backoffMs(attempts++))
    }
  }
  connect()
  return () => {
    closed = true
    clearTimeout(timer)
    clearTimeout(silence)
    socket?.close()
  }
}

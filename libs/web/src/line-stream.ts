import { type ClientSocket, websocket } from './listen.ts'

/** Something that tells its listeners what it says, beginning with what they missed; the answer ends that. */
export type Subscribe<T> = (listener: (message: T) => void) => () => void

/** Beyond this many unread bytes a client has stopped reading. */
const mostUnread = 8 * 1_048_576

/**
 * A websocket of messages each of which counts: none is left out for a slow client, so one that does not read at all is
 * cut off and may come again.
 */
export const lineStream = <T>(subscribe: Subscribe<T>, most: number) =>
  websocket(
    () => {
      let end: (() => void) | undefined
      return {
        open: (socket: ClientSocket) => {
          end = subscribe(message => {
            socket.send(JSON.stringify(message))
            if (socket.bufferedAmount > mostUnread) socket.terminate()
          })
        },
        closed: () => end?.(),
      }
    },
    { most, full: 'too many clients follow this output' },
  )

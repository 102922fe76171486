import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { QuickHeads } from './quick.ts'
import type { Entry } from './stats/entry.ts'
import type { Connection, Stats } from './stats/stats.ts'

const headEnd = '\r\n\r\n'

/**
 * Stands before node's HTTP server and answers quick requests from the bytes themselves, at about twice its rate. The
 * first request that is anything else goes, with its connection and for good, to node's server.
 */
export function createFront(heads: QuickHeads, stats: Stats, http: Server) {
  return (socket: Socket, connection: Connection): void => {
    const onData = (chunk: Buffer) => {
      const text = chunk.toString('latin1')
      const now = Date.now()
      const entries: Entry[] = []
      const answers: Buffer[] = []
      let start = 0
      while (start < text.length) {
        const end = text.indexOf(headEnd, start)
        const quick = end === -1 ? undefined : heads.find(text.slice(start, end + headEnd.length))
        if (quick === undefined) break
        const entry = stats.begin(connection, 'GET', quick.template, quick.name)
        entry.sent(quick.fixed.body.length)
        entries.push(entry)
        answers.push(quick.fixed.bytes(now))
        start = end + headEnd.length
      }
      if (entries.length > 0) send(entries, answers)
      if (start < text.length) handOver(start === 0 ? chunk : chunk.subarray(start))
    }

    const send = (entries: readonly Entry[], answers: readonly Buffer[]) => {
      const [first] = answers
      const bytes = answers.length === 1 && first !== undefined ? first : Buffer.concat(answers)
      const flows = socket.write(bytes, error => {
        for (const entry of entries) {
          if (error) entry.abort()
          else entry.complete(200)
        }
      })
      // Without this a client that sends and never reads would fill our memory.
      if (!flows) socket.pause()
    }

    const onDrain = () => socket.resume()
    const onEnd = () => socket.end()

    const handOver = (rest: Buffer) => {
      socket.off('data', onData).off('drain', onDrain).off('end', onEnd)
      // The order that node documents for putting bytes back: a flowing stream would pass them on before anybody listens.
      socket.pause()
      socket.unshift(rest)
      http.emit('connection', socket)
      socket.resume()
    }

    socket.on('data', onData).on('drain', onDrain).on('end', onEnd)
  }
}

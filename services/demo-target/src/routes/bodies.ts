import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { readBody } from '../body.ts'
import type { Exchange } from '../exchange.ts'
import { wholeNumber } from '../query.ts'
import type { Route } from '../route.ts'

/** A whole number of 64-byte lines, so that the stream stays in step however many blocks are sent. */
const block = Buffer.alloc(65_536, `${'onrush '.repeat(9)}\n`)

const largest = { least: 0, most: Number.MAX_SAFE_INTEGER }

/** Bodies of every size and kind. */
export const bodyRoutes: readonly Route[] = [
  {
    template: '/bytes',
    handlers: {
      GET: async exchange => {
        const { res, req, query } = exchange
        const n = wholeNumber(query, 'n', largest, 1024)
        res.writeHead(200, ['content-type', 'application/octet-stream', 'content-length', String(n)])
        for (let left = n; left > 0 && req.method !== 'HEAD'; left -= block.length) {
          if (!(await write(exchange, left < block.length ? block.subarray(0, left) : block))) return
        }
        res.end()
      },
    },
  },
  {
    template: '/chunked',
    handlers: {
      GET: async exchange => {
        const { res, req, query } = exchange
        const n = wholeNumber(query, 'n', largest, 10)
        const ms = wholeNumber(query, 'ms', { least: 0, most: 3_600_000 }, 0)
        res.writeHead(200, ['content-type', 'text/plain; charset=utf-8'])
        for (let i = 1; i <= n && req.method !== 'HEAD'; i++) {
          if (ms > 0 && i > 1) await sleep(ms)
          if (!(await write(exchange, Buffer.from(`chunk ${i}\n`)))) return
        }
        res.end()
      },
    },
  },
  {
    template: '/echo',
    handlers: {
      '*': async exchange => {
        const { req } = exchange
        const body = await readBody(exchange)
        exchange.json(200, {
          method: req.method,
          url: req.url,
          headers: req.headers,
          body: isJson(req.headers['content-type']) ? parsed(body.toString('utf8')) : body.toString('utf8'),
        })
      },
    },
  },
]

/** Waits while the client is slower than we are; `false` when it has gone. */
async function write({ res, entry }: Exchange, bytes: Buffer): Promise<boolean> {
  if (res.destroyed) return false
  entry.sent(bytes.length)
  if (!res.write(bytes)) await drained(res)
  return !res.destroyed
}

/** A client that has gone away never drains, so `close` ends the wait too. Both listeners go: a long body waits often. */
function drained(res: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      res.off('drain', done)
      res.off('close', done)
      resolve()
    }
    res.on('drain', done)
    res.on('close', done)
  })
}

const isJson = (type: string | undefined) => type !== undefined && /^application\/(?:[\w.-]+\+)?json\b/i.test(type)

/** What calls itself JSON and is not comes back as the text it was. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

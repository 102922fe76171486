import { chance } from '../chance.ts'
import { parseWhole, share, wholeNumber } from '../query.ts'
import type { Route } from '../route.ts'
import type { Sequences } from '../sequences.ts'

const longestWait = { least: 0, most: 3_600_000 }

/** A frozen target hears no signal either, so the longest freeze is one that a person will sit out. */
const longestFreeze = { least: 0, most: 60_000 }

const half = Buffer.alloc(512, '.')

/** Everything that can go wrong with a service, on demand. */
export const faultRoutes = (sequences: Sequences): readonly Route[] => [
  {
    template: '/slow',
    handlers: {
      GET: exchange => {
        const ms = wholeNumber(exchange.query, 'ms', longestWait, 1000)
        const timer = setTimeout(() => exchange.json(200, { ms }), ms)
        exchange.res.on('close', () => clearTimeout(timer))
      },
    },
  },
  {
    template: '/status/:code',
    handlers: {
      '*': exchange => {
        const status = parseWhole(exchange.param, '/status/:code', { least: 200, most: 599 })
        if (status === 204 || status === 205 || status === 304) exchange.empty(status)
        else exchange.json(status, { status })
      },
    },
  },
  {
    template: '/flaky',
    handlers: {
      GET: exchange => {
        const rate = share(exchange.query, 'rate', 0.1)
        const seed = wholeNumber(exchange.query, 'seed', { least: 0, most: 0xffff_ffff }, 1)
        const n = sequences.nextFlaky()
        const failed = chance(seed, n) < rate
        exchange.json(failed ? 500 : 200, { n, failed })
      },
    },
  },
  {
    template: '/hang',
    handlers: {
      GET: () => {
        // The answer never comes: that is what this route is for. The client's own timeout ends it.
      },
    },
  },
  {
    template: '/reset',
    handlers: {
      GET: exchange => {
        const { res, req, entry } = exchange
        res.writeHead(200, ['content-type', 'application/octet-stream', 'content-length', String(2 * half.length)])
        entry.sent(half.length)
        res.write(half, () => {
          // Only a bare TCP socket can send a reset; under TLS the connection is cut without a closing alert.
          if ('encrypted' in req.socket) req.socket.destroy()
          else req.socket.resetAndDestroy()
        })
      },
    },
  },
  {
    template: '/malformed',
    handlers: {
      GET: ({ req }) => {
        req.socket.end('HTTP/1.1 two hundred\r\nthis is not a header\r\n\r\n')
      },
    },
  },
  {
    template: '/freeze',
    handlers: {
      GET: exchange => {
        const ms = wholeNumber(exchange.query, 'ms', longestFreeze, 5000)
        exchange.res.on('finish', () => {
          // Blocking the only thread is what a long collection or a stopped process does: the kernel goes on taking
          // connections and bytes, and nobody answers. One turn later, so that TLS has flushed the answer.
          setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms))
        })
        exchange.json(202, { frozenFor: ms })
      },
    },
  },
]

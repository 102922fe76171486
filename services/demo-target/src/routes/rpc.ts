import { setTimeout as sleep } from 'node:timers/promises'
import { readBody } from '../body.ts'
import type { Route } from '../route.ts'
import { other } from '../stats/period.ts'
import type { Stats } from '../stats/stats.ts'

type Id = string | number | null
type Answer =
  | { readonly jsonrpc: '2.0'; readonly id: Id; readonly result: unknown }
  | { readonly jsonrpc: '2.0'; readonly id: Id; readonly error: RpcError }

interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

class RpcFailure extends Error {
  readonly error: RpcError

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.error = { code, message, ...(data === undefined ? {} : { data }) }
  }
}

const parseError = -32700
const invalidRequest = -32600
const methodNotFound = -32601
const invalidParams = -32602

const most = 3_600_000

/** By position or by name; what is missing is `undefined`. */
function named(params: unknown, ...names: readonly string[]): unknown[] {
  if (Array.isArray(params)) return params
  return names.map(name => (typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined))
}

const methods: Readonly<Record<string, (params: unknown) => unknown>> = {
  add: params => {
    const numbers = named(params, 'a', 'b')
    if (numbers.some(each => typeof each !== 'number')) {
      throw new RpcFailure(invalidParams, `add: expected numbers, got ${JSON.stringify(params) ?? 'nothing'}`)
    }
    return numbers.reduce<number>((sum, each) => sum + Number(each), 0)
  },
  echo: params => params ?? null,
  fail: params => {
    const [code = -32000, message = 'failed, as asked', data] = named(params, 'code', 'message', 'data')
    throw new RpcFailure(Number(code), String(message), data)
  },
  slow: async params => {
    const [ms] = named(params, 'ms')
    if (typeof ms !== 'number' || !(ms >= 0 && ms <= most)) {
      throw new RpcFailure(invalidParams, `slow: expected {"ms": 0 to ${most}}`)
    }
    await sleep(ms)
    return { ms }
  },
}

/** JSON-RPC 2.0. A batch is answered in the opposite order: the specification promises none, and clients must not rely on one. */
export const rpcRoutes = (stats: Stats): readonly Route[] => [
  {
    template: '/rpc',
    handlers: {
      POST: async exchange => {
        const text = (await readBody(exchange)).toString('utf8')
        let request: unknown
        try {
          request = JSON.parse(text)
        } catch {
          // JSON-RPC has an answer of its own for what is no JSON.
          exchange.json(200, failed(null, { code: parseError, message: 'parse error: expected JSON' }))
          return
        }
        if (!Array.isArray(request)) {
          const answer = await answerTo(request, stats)
          if (answer === undefined) exchange.empty(204)
          else exchange.json(200, answer)
          return
        }
        if (request.length === 0) {
          exchange.json(200, failed(null, { code: invalidRequest, message: 'an empty batch' }))
          return
        }
        const all = await Promise.all(request.map(each => answerTo(each, stats)))
        const answers = all.filter(answer => answer !== undefined).reverse()
        if (answers.length === 0) exchange.empty(204)
        else exchange.json(200, answers)
      },
    },
  },
]

const failed = (id: Id, error: RpcError): Answer => ({ jsonrpc: '2.0', id, error })
const isId = (id: unknown): id is Id => typeof id === 'string' || typeof id === 'number' || id === null

/** Nothing for a notification, whatever came of it. */
async function answerTo(request: unknown, stats: Stats): Promise<Answer | undefined> {
  const { jsonrpc, id, method, params }: Record<string, unknown> =
    typeof request === 'object' && request !== null ? { ...request } : {}
  const known = typeof method === 'string' && Object.hasOwn(methods, method)
  const entry = stats.beginCall('rpc', known ? method : other)
  try {
    if (jsonrpc !== '2.0' || typeof method !== 'string' || (id !== undefined && !isId(id))) {
      throw new RpcFailure(invalidRequest, 'expected {"jsonrpc": "2.0", "id", "method", "params"}')
    }
    const run = known ? methods[method] : undefined
    if (run === undefined) {
      throw new RpcFailure(methodNotFound, `no method "${method}"; there are ${Object.keys(methods).join(', ')}`)
    }
    const result = await run(params)
    entry.complete(0)
    return id === undefined || !isId(id) ? undefined : { jsonrpc: '2.0', id, result }
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error
    entry.complete(error.error.code)
    if (error.error.code === invalidRequest) return failed(isId(id) ? id : null, error.error)
    return isId(id) ? failed(id, error.error) : undefined
  }
}

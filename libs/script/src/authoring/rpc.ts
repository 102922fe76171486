import { placed } from './place.ts'
import type { GrpcOptions, GrpcStep, JsonRpcCall, JsonRpcOptions, JsonRpcStep, Params } from './rpc-types.ts'

/** gRPC steps on a connection of the simulation's `grpc`. */
export const grpc = {
  /** One call: `grpc.call('item', 'shop.Catalog/GetItem', { message: { id: 7 } })`. `$.status` is the gRPC code. */
  call(name: string, method: string, options?: GrpcOptions): GrpcStep {
    return placed({ type: 'grpc', name, method, ...options })
  },
}

/** JSON-RPC 2.0 over HTTP. */
export const rpc = {
  /** One call: `rpc.call('add', 'math.add', [1, 2], { assert: { '$.entity': 3 } })`. An error answer fails the step. */
  call(name: string, method: string, params?: Params, options?: JsonRpcOptions): JsonRpcStep {
    return placed({ type: 'jsonrpc', name, method, ...(params === undefined ? {} : { params }), ...options })
  },
  /** A call without an id, which the server does not answer: `rpc.notify('seen', 'log.seen', { page: 'home' })`. */
  notify(name: string, method: string, params?: Params, options?: JsonRpcOptions): JsonRpcStep {
    const given = params === undefined ? {} : { params }
    return placed({ type: 'jsonrpc', name, method, ...given, notification: true, ...options })
  },
  /** Several calls in one request; `$.entity` is the list of results in the order of the calls. */
  batch(name: string, calls: readonly JsonRpcCall[], options?: JsonRpcOptions): JsonRpcStep {
    return placed({ type: 'jsonrpc', name, batch: calls, ...options })
  },
}

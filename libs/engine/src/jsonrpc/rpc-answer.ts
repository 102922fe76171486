import type { RpcCall } from './rpc-body.ts'

/** What a server said to a call: a result, or its error. */
export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export type RpcAnswer =
  | {
      readonly ok: true
      /** A call's result or error, a batch's in the order of its calls; `null` for notifications. */
      readonly entity: unknown
      /** The first error. */
      readonly error: RpcError | undefined
    }
  /** It is no answer to what was asked. */
  | { readonly ok: false; readonly message: string }

interface Member {
  readonly id: unknown
  readonly result?: unknown
  readonly error?: RpcError
}

const wrong = (message: string): RpcAnswer => ({ ok: false, message })

/** Reads the body of a response. `firstId` is the id of the first call that has one. */
export function readRpcAnswer(text: string, calls: readonly RpcCall[], isBatch: boolean, firstId: number): RpcAnswer {
  const answered = calls.filter(call => !call.isNotification)
  if (text.trim() === '') {
    if (answered.length === 0) return { ok: true, entity: isBatch ? calls.map(() => null) : null, error: undefined }
    return wrong(`expected an answer to ${named(answered[0], firstId)}, got an empty body`)
  }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    // A SyntaxError, the only thing that parsing throws.
    return wrong(`expected JSON-RPC, got ${shown(text)}`)
  }
  const alone = Array.isArray(body) ? undefined : memberOf(body)
  // What the server could not even read it answers without an id, a whole batch by a single error.
  if (alone?.error !== undefined && alone.id === null) return { ok: true, entity: alone.error, error: alone.error }
  if (answered.length === 0) return wrong(`expected no answer to a notification, got ${shown(text)}`)
  if (isBatch)
    return Array.isArray(body)
      ? readBatch(body, calls, firstId)
      : wrong(`expected a list of answers, got ${shown(text)}`)
  if (alone === undefined) return wrong(`expected {"jsonrpc": "2.0", "id", "result" or "error"}, got ${shown(text)}`)
  if (alone.id !== firstId)
    return wrong(`expected the answer to ${named(answered[0], firstId)}, got the id ${shown(alone.id)}`)
  return { ok: true, entity: alone.error ?? alone.result, error: alone.error }
}

function readBatch(body: readonly unknown[], calls: readonly RpcCall[], firstId: number): RpcAnswer {
  const byId = new Map<unknown, Member>()
  for (const each of body) {
    const member = memberOf(each)
    if (member === undefined) return wrong(`expected {"jsonrpc": "2.0", "id", "result" or "error"}, got ${shown(each)}`)
    if (byId.has(member.id)) return wrong(`two answers have the id ${shown(member.id)}`)
    byId.set(member.id, member)
  }
  let id = firstId
  let error: RpcError | undefined
  const entity: unknown[] = []
  for (const call of calls) {
    if (call.isNotification) {
      entity.push(null)
      continue
    }
    const member = byId.get(id)
    if (member === undefined) return wrong(`no answer to ${named(call, id)}`)
    byId.delete(id++)
    error ??= member.error
    entity.push(member.error ?? member.result)
  }
  const [extra] = byId.keys()
  return byId.size > 0
    ? wrong(`an answer to a call that was not made: id ${shown(extra)}`)
    : { ok: true, entity, error }
}

function memberOf(value: unknown): Member | undefined {
  if (typeof value !== 'object' || value === null || !('jsonrpc' in value) || value.jsonrpc !== '2.0') return undefined
  const id = 'id' in value ? value.id : undefined
  if ('error' in value && value.error !== null && value.error !== undefined) {
    const error = errorOf(value.error)
    return error === undefined ? undefined : { id, error }
  }
  return 'result' in value ? { id, result: value.result } : undefined
}

function errorOf(value: unknown): RpcError | undefined {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('message' in value)) return undefined
  const { code, message } = value
  if (typeof code !== 'number' || !Number.isInteger(code) || typeof message !== 'string') return undefined
  return { code, message, ...('data' in value ? { data: value.data } : {}) }
}

const named = (call: RpcCall | undefined, id: number): string => `the call ${id} ("${call?.method}")`
const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none')).slice(0, 200)

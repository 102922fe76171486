import type { Context } from '@onrush/context/context'
import type { Template } from '@onrush/context/template'
import type { JsonRpcStep } from '@onrush/protocol/rpc-step'
import type { Settle } from '../http/settle.ts'

export interface RpcCall {
  readonly method: string
  /** Notifications have no id, and no answer. */
  readonly isNotification: boolean
}

/** A request's body: everything but the ids and what is rendered stands in it before. */
export interface RpcBody {
  readonly calls: readonly RpcCall[]
  /** The ids it takes, from `firstId` on, are as many as there are calls that are answered. */
  readonly answered: number
  render(context: Context, firstId: number): string
}

interface Part {
  readonly head: string
  readonly params: Template<string> | undefined
  readonly isNotification: boolean
}

export function compileRpcBody(step: JsonRpcStep, settle: Settle): RpcBody {
  const { batch, method = '', params, notification } = step
  const written = batch ?? [{ method, params, notification }]
  const parts = written.map((call, i): Part => {
    const place = batch === undefined ? '.params' : `.batch[${i}].params`
    const head = `{"jsonrpc":"2.0","method":${JSON.stringify(call.method)}`
    const isNotification = call.notification === true
    return { head, params: call.params === undefined ? undefined : settle.json(call.params, place), isNotification }
  })
  const calls = written.map((call, i) => ({ method: call.method, isNotification: parts[i]?.isNotification === true }))
  const answered = calls.filter(call => !call.isNotification).length
  const [only] = parts
  if (batch === undefined && only !== undefined) {
    return { calls, answered, render: (context, id) => textOf(only, context, id) }
  }
  const render = (context: Context, firstId: number): string => {
    let id = firstId
    let text = ''
    for (const part of parts) {
      text += `${text === '' ? '[' : ','}${textOf(part, context, id)}`
      if (!part.isNotification) id++
    }
    return `${text}]`
  }
  return { calls, answered, render }
}

function textOf({ head, params, isNotification }: Part, context: Context, id: number): string {
  const given = params === undefined ? '' : `,"params":${params.constant ?? params.render(context)}`
  return `${head}${given}${isNotification ? '' : `,"id":${id}`}}`
}

import type { Context } from '@onrush/context/context'
import { RenderError } from '@onrush/context/render-error'
import { compileValue } from '@onrush/context/template'
import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import type { MessageType } from './message-type.ts'
import { MessageWalk } from './message-walk.ts'

export interface Message {
  readonly bytes: Buffer
  /** As the script sees it. */
  readonly value: unknown
}

/** Renders one message of a step; one without templates is encoded once. */
export type MessagePlan = (context: Context) => Message

export function compileMessage(written: Json, type: MessageType, where: string, faults: Fault[]): MessagePlan {
  const template = compileValue(written, where, faults)
  const wrong = type.check(template.isStatic ? template.constant : written, where)
  faults.push(...wrong)
  if (template.isStatic) {
    const walk = new MessageWalk(where, false)
    const message = { bytes: type.encode(template.constant, walk), value: template.constant }
    // A text that is no template yet holds braces was not judged before.
    if (wrong.length === 0) faults.push(...walk.faults)
    return () => message
  }
  return context => {
    const value = template.render(context)
    const walk = new MessageWalk('message', false)
    const bytes = type.encode(value, walk)
    const [fault] = walk.faults
    if (fault !== undefined) throw new RenderError(where, `${fault.path}: ${fault.message}`)
    return { bytes, value }
  }
}

import type { Context } from '@onrush/context/context'
import type { HttpStep } from '@onrush/protocol/http-step'
import { compileMultipart, multipartType } from './multipart.ts'
import { compilePairs, encodeForm } from './query-plan.ts'
import type { Settle } from './settle.ts'
import { openStepFile } from './step-file.ts'
import type { Files } from './tls-settings.ts'
import type { WireRequest } from './transport.ts'

type Body = WireRequest['body']

export interface BodyPlan {
  /** What is sent as `content-type` unless the script says otherwise. */
  readonly contentType: string | undefined
  /** The body that every request sends, when it is the same; `false` when it is not. */
  readonly constant: Body | false
  render(context: Context): Body
}

const fixed = (body: Body, contentType: string | undefined): BodyPlan => ({
  contentType,
  constant: body,
  render: () => body,
})

const binary = 'application/octet-stream'

export function compileBody(step: HttpStep, files: Files, settle: Settle): BodyPlan {
  if (step.body !== undefined) {
    const isText = typeof step.body === 'string'
    const template = typeof step.body === 'string' ? settle.text(step.body, '.body') : settle.json(step.body, '.body')
    const contentType = isText ? 'text/plain;charset=UTF-8' : 'application/json'
    if (template.constant !== undefined) return fixed(template.constant, contentType)
    return { contentType, constant: false, render: context => template.render(context) }
  }
  if (step.form !== undefined) {
    const pairs = compilePairs(step.form, '.form', encodeForm, settle)
    const contentType = 'application/x-www-form-urlencoded'
    return { contentType, constant: pairs.constant ?? false, render: context => pairs.render(context) }
  }
  if (step.multipart !== undefined) {
    return { contentType: multipartType, constant: false, render: compileMultipart(step.multipart, files, settle) }
  }
  if (step.file !== undefined) return fixed(openStepFile(step.file, '.file', files, settle), binary)
  if (step.bytes !== undefined) return fixed(Buffer.from(step.bytes, 'base64'), binary)
  return fixed(undefined, undefined)
}

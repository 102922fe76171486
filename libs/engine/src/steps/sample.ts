import type { Context } from '@onrush/context/context'
import type { FailureSample } from '@onrush/protocol/frame'
import { limits } from '@onrush/protocol/limits'
import type { Mask } from '../session/mask.ts'

const bodyLength = limits.failureBody.value

/** What a person needs to understand a failure, without secrets and cut to a size that travels. */
export function sampleOf(
  what: Pick<FailureSample, 'scenario' | 'step' | 'kind' | 'at' | 'message'>,
  context: Context,
  secrets: Mask,
): FailureSample {
  const mask = secrets.ofRequest(context._req?.headers)
  const sample: FailureSample = { ...what, message: mask.text(what.message).slice(0, 4000) }
  const request = requestShown(context, mask, bodyLength)
  if (request !== undefined) sample.request = request
  if (context.status !== undefined) {
    const body = mask.body(context.entity, bodyLength)
    const headers = mask.headers(context.headers ?? {})
    sample.response = { status: context.status, headers, ...(body === undefined ? {} : { body }) }
  }
  return sample
}

export function requestShown(
  context: Context,
  mask: Mask,
  length: number,
): { method?: string; url?: string; headers: Record<string, string>; body?: string } | undefined {
  const request = context._req
  if (request === undefined) return undefined
  const { method, url, headers } = request
  const body = mask.body(request.body, length)
  return {
    ...(typeof method === 'string' ? { method } : {}),
    ...(typeof url === 'string' ? { url: mask.text(url) } : {}),
    headers: mask.headers(typeof headers === 'object' && headers !== null ? { ...headers } : {}),
    ...(body === undefined ? {} : { body }),
  }
}

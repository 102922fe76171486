import type { Context } from '@onrush/context/context'
import { RenderError } from '@onrush/context/render-error'
import type { Settle } from '../http/settle.ts'
import { type CallMetadata, metadataOf } from './grpc-channel.ts'

type Written = { readonly [name: string]: string }
type Pairs = readonly (readonly [name: string, value: string])[]

export interface Metadata {
  readonly metadata: CallMetadata
  /** Names and values in turn, for `_req`. */
  readonly shown: readonly string[]
}

/** Metadata of a step over that of its connection. Built once where it is always the same. */
export function compileMetadata(
  connection: Written,
  step: Written,
  settle: Settle,
): { readonly constant: Metadata | undefined; render(context: Context): Metadata } {
  const written = Object.entries({ ...lowered(connection), ...lowered(step) })
  const fields = written.map(([name, value]) => ({ name, value: settle.text(value, `.metadata.${name}`) }))
  const build = (pairs: Pairs): Metadata => ({ metadata: metadataOf(pairs), shown: pairs.flat() })
  const render = (context: Context): Metadata => {
    try {
      return build(fields.map(({ name, value }) => [name, value.render(context)]))
    } catch (error) {
      if (error instanceof RenderError) throw error
      throw new RenderError(
        'metadata',
        `the metadata cannot be sent: ${error instanceof Error ? error.message : error}`,
      )
    }
  }
  if (!fields.every(({ value }) => value.isStatic)) return { constant: undefined, render }
  try {
    const constant = build(fields.map(({ name, value }) => [name, value.constant ?? '']))
    return { constant, render: () => constant }
  } catch (error) {
    settle.fault('.metadata', `it cannot be sent: ${error instanceof Error ? error.message : String(error)}`)
    return { constant: undefined, render }
  }
}

/** Names are the same in any case; the step's wins. */
const lowered = (written: Written): Written =>
  Object.fromEntries(Object.entries(written).map(([name, value]) => [name.toLowerCase(), value]))

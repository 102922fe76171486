import { setTimeout as sleep } from 'node:timers/promises'
import { itemCount, itemOf, pageCount, pageSize } from '../catalog.ts'

/** gRPC's codes that this service answers by itself. */
export const codes = { ok: 0, invalid: 3, notFound: 5, unimplemented: 12 } as const

/** Ends a call with a code that is not OK. */
export class CallFailure extends Error {
  readonly code: number
  readonly trailers: Readonly<Record<string, string>>

  constructor(code: number, message: string, trailers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.code = code
    this.trailers = trailers
  }
}

export interface GrpcItem {
  readonly id: number
  readonly name: string
  readonly price: number
  readonly stock: number
  readonly kind: number
  readonly barcode: string
  readonly picture: Uint8Array
}

const longest = 3_600_000
/** 2^53: from here on a double skips numbers. */
const firstBarcode = 9_007_199_254_740_992n

export function grpcItemOf(id: number): GrpcItem {
  if (!(id >= 1 && id <= itemCount)) throw new CallFailure(codes.notFound, `id: expected 1 to ${itemCount}, got ${id}`)
  const picture = Uint8Array.of(0xff, id >> 8, id & 0xff)
  return { ...itemOf(id), kind: id % 10, barcode: String(firstBarcode + BigInt(2 * id + 1)), picture }
}

export async function* grpcPage(page: number, ms: number, signal: AbortSignal): AsyncGenerator<GrpcItem> {
  // An unset field is 0 in protobuf.
  const wanted = page === 0 ? 1 : page
  if (!(wanted >= 1 && wanted <= pageCount)) {
    throw new CallFailure(codes.invalid, `page: expected 1 to ${pageCount}, got ${page}`)
  }
  for (let i = 1; i <= pageSize; i++) {
    if (ms > 0) await sleep(ms, undefined, { signal })
    yield grpcItemOf((wanted - 1) * pageSize + i)
  }
}

export async function summaryOf(items: AsyncIterable<GrpcItem>) {
  const ids: number[] = []
  let cents = 0
  for await (const { id, price } of items) {
    ids.push(id)
    cents += Math.round(price * 100)
  }
  return { count: ids.length, total: cents / 100, ids }
}

export async function slow(ms: number, signal: AbortSignal): Promise<{ ms: number }> {
  if (!(ms >= 0 && ms <= longest)) throw new CallFailure(codes.invalid, `ms: expected 0 to ${longest}, got ${ms}`)
  await sleep(ms, undefined, { signal })
  return { ms }
}

export function fail(code: number, message: string): never {
  if (!(code >= 1 && code <= 16)) throw new CallFailure(codes.invalid, `code: expected 1 to 16, got ${code}`)
  throw new CallFailure(code, message === '' ? `failed with ${code}, as asked` : message, { 'x-reason': 'asked-for' })
}

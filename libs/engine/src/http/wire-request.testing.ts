import type { Answer, WireRequest } from './transport.ts'

const never = Number.POSITIVE_INFINITY

/** A GET without limits, and what a test changes in it. */
export function wireRequest(origin: string, path: string, changes: Partial<WireRequest> = {}): WireRequest {
  return {
    origin,
    path,
    method: 'GET',
    headers: [],
    body: undefined,
    discardBody: false,
    maxBody: 1_000_000,
    timeouts: { connect: never, headers: never, body: never, total: never },
    connections: undefined,
    ...changes,
  }
}

export const within = (limits: Partial<WireRequest['timeouts']>): Partial<WireRequest> => ({
  timeouts: { connect: never, headers: never, body: never, total: never, ...limits },
})

export const textOf = ({ body }: Answer): string => Buffer.from(body).toString()

export function headerOf({ headers }: Answer, name: string): unknown {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
}

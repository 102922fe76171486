import { type Client, createClient, type ReporterApi } from '@onrush/protocol/client'
import { reporterEndpoints } from '@onrush/protocol/reporter-endpoints'

const callMs = 60_000

/** A reporter's calls, with the operator's token where one is set. One that does not answer in time is not there. */
export const reporterApi = (url: string, token: string | undefined): Client<ReporterApi> =>
  createClient(reporterEndpoints, {
    url,
    token,
    fetch: (address, init) => fetch(address, { ...init, signal: AbortSignal.timeout(callMs) }),
  })

import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

/** Who is at the other end of the connection. A header that says otherwise is not believed: anyone can send one. */
export function clientAddress(c: Context): string {
  try {
    return getConnInfo(c).remote.address ?? 'unknown'
  } catch {
    // A request that came over no connection, as in a test of the app alone.
    return 'unknown'
  }
}

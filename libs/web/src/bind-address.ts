import { OnrushError } from '@onrush/protocol/error'

const loopback = /^(127(\.\d{1,3}){3}|::1|localhost)$/i

export const isLoopback = (host: string): boolean => loopback.test(host)

/** Where to listen: nobody who could reach us without a token may steer a load generator. */
export function bindAddress(host: string | undefined, tokenIsSet: boolean): string {
  const wanted = host ?? '127.0.0.1'
  if (!isLoopback(wanted) && !tokenIsSet) {
    throw new OnrushError(
      'forbidden',
      `refusing to listen on ${wanted} without a token: whoever reaches it could run load tests from here. Set ONRUSH_TOKEN, or listen on 127.0.0.1`,
    )
  }
  return wanted
}

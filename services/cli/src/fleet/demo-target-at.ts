import { OnrushError } from '@onrush/protocol/error'
import { type DemoTarget, startDemoTarget } from '@onrush/servers/demo-target'

/** Where the simulations of this tree aim; gRPC is on the next one. */
export const usualPort = 7090

/** The demo target on that port, or on free ones where somebody has that port or the next. */
export async function demoTargetAt(port: number): Promise<DemoTarget> {
  try {
    return await startDemoTarget({ port })
  } catch (error) {
    if (!(error instanceof OnrushError) || !/\bport \d+ on \S+ is in use\b/.test(error.message)) throw error
    return startDemoTarget()
  }
}

/** Where it is, and, unless that is where simulations look for it, how to tell them. */
export function whereDemoIs({ url, grpc, port }: Pick<DemoTarget, 'url' | 'grpc' | 'port'>): string {
  const where = `demo target on ${url}, gRPC on ${grpc}\n`
  if (port === usualPort) return where
  return `${where}port ${usualPort} or ${usualPort + 1} is in use; run simulations that aim there with -e shop=${url}
  (those of rpc and gRPC with -e rpc=${url}/rpc -e catalog=${grpc})
`
}

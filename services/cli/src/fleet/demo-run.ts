import type { DemoTarget } from '@onrush/servers/demo-target'
import type { Io } from '../io.ts'
import { whereDemoIs } from './demo-target-at.ts'
import { reporterApi } from './reporter-api.ts'

/** A first run, over the same API that everybody uses. */
export async function beginDemo(reporter: string, target: DemoTarget, io: Io): Promise<void> {
  const body = {
    name: 'demo',
    url: `${target.url}/json`,
    rate: 50,
    duration: '30s',
    assert: { '$.status': 200 },
    thresholds: { duration: ['p(95)<500'], failed: ['rate<0.01'] },
  }
  const { links } = await reporterApi(reporter, io.env.ONRUSH_TOKEN).call('POST /api/single', { body })
  io.out.write(`${whereDemoIs(target)}a first run of 50 requests per second for 30 s has begun:
  ${reporter}${links.report}  (the page follows the run and becomes its report)
  curl ${reporter}${links.job}
start another: curl '${reporter}/api/single?url=${target.url}/json&rate=20&duration=10s'
`)
}

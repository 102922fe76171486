import { processFacts } from '@onrush/fleet/process-facts'
import { runService } from '@onrush/web/service-process'
import manifest from '../package.json' with { type: 'json' }
import { readConfig } from './config.ts'
import { startWorker } from './worker-node.ts'

await runService(process, {
  role: 'worker',
  ending: 'draining; a second signal ends at once',
  readConfig,
  async start(config, log) {
    const { id, url, close, abort } = await startWorker(config, processFacts(process, manifest.version), log)
    return {
      id,
      url,
      end: signal => close(`the worker got ${signal}`),
      hurry: signal => abort(`${signal}, for the second time`),
    }
  },
})

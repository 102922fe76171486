import { processFacts } from '@onrush/fleet/process-facts'
import { runService } from '@onrush/web/service-process'
import manifest from '../package.json' with { type: 'json' }
import { readConfig } from './config.ts'
import { startReporter } from './reporter-node.ts'

await runService(process, {
  role: 'reporter',
  ending: 'stopping; runs go on and another reporter ends them',
  readConfig,
  async start(config, log) {
    const { id, url, close } = await startReporter(config, processFacts(process, manifest.version), log)
    return { id, url, end: close }
  },
})

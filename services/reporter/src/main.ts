import { OnrushError } from '@onrush/protocol/error'
import { jsonLog } from '@onrush/web/log'
import { forgetSettings } from '@onrush/web/settings'
import manifest from '../package.json' with { type: 'json' }
import { readConfig } from './config.ts'
import { startReporter } from './reporter-node.ts'

const log = jsonLog(
  line => process.stderr.write(line),
  () => new Date(),
)

try {
  const config = readConfig(process.env, process.cwd())
  forgetSettings(process.env)
  const reporter = await startReporter(
    config,
    {
      version: manifest.version,
      nodeVersion: process.version,
      platform: `${process.platform} ${process.arch}`,
      cpuMicros: () => {
        const { user, system } = process.cpuUsage()
        return user + system
      },
      nowMs: () => performance.now(),
      residentBytes: () => process.memoryUsage.rss(),
    },
    log,
  )
  process.stdout.write(`reporter ${reporter.id} on ${reporter.url}\n`)
  let asked = false
  const end = (signal: NodeJS.Signals) => {
    if (asked) process.exit(1)
    asked = true
    log('info', 'stopping; runs go on and another reporter ends them', { signal })
    reporter.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log('error', 'the reporter did not end in good order', { error })
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
} catch (error) {
  const known = error instanceof OnrushError
  process.stderr.write(
    `onrush reporter: ${known ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  )
  process.exit(known && error.code === 'invalid' ? 104 : 1)
}

import { OnrushError } from '@onrush/protocol/error'
import { readConfig, usage } from './config.ts'
import { thingsToTry } from './guide.ts'
import { createShopFile } from './sql/shop-file.ts'
import { createTarget } from './target.ts'

try {
  const config = readConfig(process.argv.slice(2))
  if (config.help) process.stdout.write(usage)
  else {
    const shop = config.sqlite === undefined ? '' : `shop database in ${await createShopFile(config.sqlite)}\n`
    const target = await createTarget(config)
    process.stdout.write(
      `demo target on ${target.url}\ngrpc on ${target.grpc}\n${shop}${thingsToTry(target.url, target.grpc)}`,
    )
    const stop = () => void target.close()
    process.once('SIGTERM', stop).once('SIGINT', stop)
  }
} catch (error) {
  if (!(error instanceof OnrushError)) throw error
  process.stderr.write(`onrush demo-target: ${error.message}\n`)
  process.exitCode = error.code === 'invalid' ? 104 : 1
}

import { OnrushError } from '@onrush/protocol/error'
import { jsonLog, type Log } from './log.ts'
import { type Environment, forgetSettings } from './settings.ts'

type Signal = 'SIGTERM' | 'SIGINT'

/** What a service needs of its process, which only its entry touches. */
export interface ServiceProcess {
  readonly env: Record<string, string | undefined>
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
  cwd(): string
  on(signal: Signal, hear: (signal: Signal) => void): unknown
  exit(code: number): never
}

export interface RunningService {
  readonly id: string
  readonly url: string
  /** Ends in good order. */
  end(signal: Signal): Promise<void>
  /** What a second signal does; by default the process ends at once. */
  hurry?(signal: Signal): void
}

export interface Service<Config> {
  readonly role: 'reporter' | 'worker'
  /** What a signal begins, as the log says it. */
  readonly ending: string
  readConfig(env: Environment, cwd: string): Config
  start(config: Config, log: Log): Promise<RunningService>
}

/** A service from its settings to its last signal: says where it listens, ends in good order, and answers with its exit code. */
export async function runService<Config>(host: ServiceProcess, service: Service<Config>): Promise<void> {
  const { role, ending } = service
  const log = jsonLog(
    line => host.stderr.write(line),
    () => new Date(),
  )
  try {
    const config = service.readConfig(host.env, host.cwd())
    forgetSettings(host.env)
    const running = await service.start(config, log)
    host.stdout.write(`${role} ${running.id} on ${running.url}\n`)
    let asked = false
    const hear = (signal: Signal) => {
      if (asked) {
        if (running.hurry === undefined) host.exit(1)
        running.hurry(signal)
        return
      }
      asked = true
      log('info', ending, { signal })
      running.end(signal).then(
        () => host.exit(0),
        (error: unknown) => {
          log('error', `the ${role} did not end in good order`, { error })
          host.exit(1)
        },
      )
    }
    host.on('SIGTERM', hear)
    host.on('SIGINT', hear)
  } catch (error) {
    const known = error instanceof OnrushError
    host.stderr.write(
      `onrush ${role}: ${known ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
    )
    host.exit(known && error.code === 'invalid' ? 104 : 1)
  }
}

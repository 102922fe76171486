import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contender, installed, onClientCore } from './contender.ts'

const version = '2.0.34'

/** What a session does in a second, about: Artillery has no duration for sessions that go on, only a count. */
const iterationsPerSecond = 25

export const artillery: Contender = {
  name: 'artillery',
  tasks: ['bare', 'flow'],
  async prepare() {
    await installed('artillery', version)
    return undefined
  },
  async run({ task, url, sessions, seconds, folder }) {
    const binary = await installed('artillery', version)
    const { origin, pathname } = new URL(url)
    const bare = [{ get: { url: pathname } }]
    const flow = [
      {
        get: {
          url: pathname,
          headers: { authorization: 'Bearer {{ token }}' },
          capture: { json: '$.id', as: 'id' },
          expect: [{ statusCode: 200 }, { hasProperty: 'ok' }],
        },
      },
    ]
    const script = {
      config: {
        target: origin,
        phases: [{ duration: 1, arrivalCount: sessions }],
        http: { pool: sessions },
        variables: { token: 't-1' },
        ...(task === 'flow' ? { plugins: { expect: { outputFormat: 'silent', reportFailuresAsErrors: true } } } : {}),
      },
      scenarios: [{ flow: [{ loop: task === 'bare' ? bare : flow, count: iterationsPerSecond * seconds }] }],
    }
    const [file, report] = [join(folder, 'artillery.json'), join(folder, 'artillery-report.json')]
    writeFileSync(file, JSON.stringify(script))
    const args = [binary, 'run', '--quiet', '--output', report, file]
    const { cpuSeconds } = await onClientCore(
      'env',
      ['ARTILLERY_DISABLE_TELEMETRY=true', process.execPath, ...args],
      folder,
    )
    const { counters, firstCounterAt, lastCounterAt }: Aggregate = JSON.parse(readFileSync(report, 'utf8')).aggregate
    const requests = counters['http.responses'] ?? 0
    const good = counters['http.codes.200'] ?? 0
    return {
      requests,
      perSecond: requests / ((lastCounterAt - firstCounterAt) / 1000),
      errors: requests - good + (counters['vusers.failed'] ?? 0),
      cpuSeconds,
    }
  },
}

interface Aggregate {
  readonly counters: Readonly<Record<string, number>>
  readonly firstCounterAt: number
  readonly lastCounterAt: number
}

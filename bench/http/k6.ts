import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contender, isOnPath, onClientCore } from './contender.ts'

const scripts = {
  bare: `import http from 'k6/http'
export default () => http.get(__ENV.URL)`,
  flow: `import http from 'k6/http'
import { check } from 'k6'
const token = 't-1'
let id
export default () => {
  const response = http.get(__ENV.URL, { headers: { authorization: \`Bearer \${token}\` } })
  const entity = response.json()
  check(response, { status: r => r.status === 200, ok: () => entity.ok === true })
  id = entity.id
}`,
}

export const k6: Contender = {
  name: 'k6',
  tasks: ['bare', 'flow'],
  prepare: async () => ((await isOnPath('k6')) ? undefined : 'k6 is not on the PATH'),
  async run({ task, url, sessions, seconds, folder }) {
    const [file, summary] = [join(folder, 'k6.js'), join(folder, 'k6-summary.json')]
    writeFileSync(file, scripts[task])
    const load = ['--vus', String(sessions), '--duration', `${seconds}s`, '-e', `URL=${url}`]
    const args = ['run', '--quiet', '--no-usage-report', '--summary-export', summary, ...load, file]
    const { cpuSeconds } = await onClientCore('env', ['GOMAXPROCS=1', 'k6', ...args], folder)
    const { metrics }: Summary = JSON.parse(readFileSync(summary, 'utf8'))
    const { count = 0, rate = 0 } = metrics.http_reqs ?? {}
    return { requests: count, perSecond: rate, errors: metrics.http_req_failed?.passes ?? 0, cpuSeconds }
  },
}

interface Summary {
  readonly metrics: Readonly<Record<string, { count?: number; rate?: number; passes?: number }>>
}

// HTTP: requests per second of one client core against nginx on the other, beside other tools (bars: the flow 12x Artillery's and 0.6x autocannon's bare GET).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startNginx } from '@onrush/servers/nginx'
import { artillery } from './http/artillery.ts'
import { autocannon } from './http/autocannon.ts'
import { type Contender, type Task, toServerCore } from './http/contender.ts'
import { k6 } from './http/k6.ts'
import { hey, wrk } from './http/native.ts'
import { onrush, runOnrush } from './http/onrush.ts'

const sessions = 64
const ratios = [
  { what: "flow, of Artillery's flow", of: 'onrush flow', by: 'artillery flow', least: 12 },
  { what: "flow, of autocannon's bare GET", of: 'onrush flow', by: 'autocannon bare', least: 0.6 },
  { what: "flow, of k6's flow", of: 'onrush flow', by: 'k6 flow' },
  { what: "flow, of hey's bare GET", of: 'onrush flow', by: 'hey bare' },
  { what: "bare GET, of autocannon's", of: 'onrush bare', by: 'autocannon bare' },
  { what: "bare GET, of hey's", of: 'onrush bare', by: 'hey bare' },
  { what: "bare GET, of wrk's", of: 'onrush bare', by: 'wrk bare' },
]

const [role, task, url, users, seconds] = process.argv.slice(2)
if (role === 'onrush' && isTask(task) && url !== undefined) await runOnrush(task, url, Number(users), Number(seconds))
else await compare()

function isTask(text: string | undefined): text is Task {
  return text === 'bare' || text === 'flow'
}

async function compare(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      only: { type: 'string', multiple: true },
    },
  })
  const all = [onrush(import.meta.filename), wrk, hey, autocannon, artillery, k6]
  const wanted = all.filter(({ name }) => values.only === undefined || values.only.includes(name))
  const contenders: Contender[] = []
  for (const contender of wanted) {
    const why = await contender.prepare()
    if (why === undefined) contenders.push(contender)
    else console.log(`without ${contender.name}: ${why}`)
  }
  const body = JSON.stringify({ id: 1, name: 'onrush', ok: true, price: 5, tags: ['fast', 'true'] })
  const nginx = await startNginx({ body, say: line => process.stderr.write(`${line}\n`) })
  const folder = mkdtempSync(join(tmpdir(), 'onrush-bench-'))
  try {
    await toServerCore(nginx.pid)
    const rates = new Map<string, number[]>()
    for (let round = 1; round <= Number(values.rounds); round++) {
      for (const contender of contenders) {
        for (const each of contender.tasks) {
          const load = { task: each, url: `${nginx.url}/json`, sessions, seconds: Number(values.seconds), folder }
          const { requests, perSecond, errors, cpuSeconds } = await contender.run(load)
          const key = `${contender.name} ${each}`
          rates.set(key, [...(rates.get(key) ?? []), perSecond])
          const perCpu = Math.round(requests / cpuSeconds)
          const rate = `${Math.round(perSecond)}/s (${perCpu} per second of CPU time)`
          console.log(`round ${round}: ${key.padEnd(16)} ${rate}${errors > 0 ? `, ${errors} errors` : ''}`)
        }
      }
    }
    judge(rates)
  } finally {
    rmSync(folder, { recursive: true })
    await nginx.stop()
  }
}

/** Ratios within each round, so that a machine that is busy for a while is busy for both. */
function judge(rates: ReadonlyMap<string, readonly number[]>): void {
  for (const { what, of, by, least } of ratios) {
    const [mine, theirs] = [rates.get(of), rates.get(by)]
    if (mine === undefined || theirs === undefined) continue
    const each = mine.map((rate, i) => rate / (theirs[i] ?? Number.NaN)).sort((a, b) => a - b)
    const median = each[Math.floor(each.length / 2)] ?? 0
    const bar = least === undefined ? '' : `; the bar is ${least}x: ${median >= least ? 'met' : 'NOT met'}`
    console.log(`${what}: ${median.toFixed(2)}x${bar}`)
    if (least !== undefined && median < least) process.exitCode = 1
  }
}

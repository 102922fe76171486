// Memory: 10,000 sessions at once, each waiting a second for its answer; resident memory of the whole process tree (bar: 400 MB).
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { runLocal } from '@onrush/engine/run'
import { summarise } from '@onrush/metrics/summary'
import { Simulation } from '@onrush/protocol/simulation'
import { startDemoTarget } from '@onrush/servers/demo-target'

const barMb = 400
const [role, url] = process.argv.slice(2)
if (role === 'run' && url !== undefined) await run(url)
else await measure(Number(role ?? 10_000))

/** The generator, in a process of its own as `onrush run` is. */
async function run(url: string): Promise<void> {
  const users = Number(process.argv[4])
  const simulation = Simulation.parse({
    http: { baseUrl: url, timeout: '30s' },
    inject: [
      { type: 'rampConcurrentUsers', from: 0, to: users, duration: '16s' },
      { type: 'constantConcurrentUsers', users, duration: '8s' },
    ],
    scenarios: [
      {
        name: 'waiting',
        steps: [{ type: 'http', name: 'slow', url: '/slow?ms=1000', assert: { '$.status': 200 } }],
      },
    ],
  })
  const { result } = runLocal({ simulation, source: { spec: simulation } }, { runId: 'bench-memory' })
  const { totals, generator, shard, warnings } = await result
  const { whole, populations, generator: health } = summarise(totals)
  const line = {
    requests: whole.count,
    failed: whole.ko,
    errors: whole.errors,
    rate: Math.round(whole.rate),
    service: whole.service?.p50,
    started: populations[0]?.started,
    utilisation: health.utilisation?.mean,
    generator,
    imbalances: shard.imbalances,
    warnings,
  }
  console.log(JSON.stringify(line))
}

async function measure(users: number): Promise<void> {
  const target = await startDemoTarget()
  const child = spawn(process.execPath, [import.meta.filename, 'run', target.url, String(users)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', chunk => {
    said += chunk
  })
  let peak = 0
  let connections = 0
  const timer = setInterval(async () => {
    peak = Math.max(peak, child.pid === undefined ? 0 : treeMb(child.pid))
    connections = Math.max(connections, (await target.stats()).connections.open)
  }, 500)
  await new Promise(resolve => child.on('close', resolve))
  clearInterval(timer)
  await target.stop()
  console.log(said.trim())
  const verdict = peak <= barMb ? 'within' : 'ABOVE'
  console.log(
    `${connections} connections at once; peak of the process tree ${peak.toFixed(0)} MB, ${verdict} ${barMb} MB`,
  )
}

/** Resident memory of a process and all below it. */
function treeMb(root: number): number {
  const parents = new Map<number, number>()
  const resident = new Map<number, number>()
  for (const name of readdirSync('/proc').filter(entry => /^\d+$/.test(entry))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]))
      resident.set(Number(name), Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0))
    } catch {
      // A process may end between the listing and the look at it.
    }
  }
  const inTree = (pid: number): boolean => pid === root || (parents.has(pid) && inTree(parents.get(pid) ?? 0))
  return [...resident].filter(([pid]) => inTree(pid)).reduce((sum, [, kb]) => sum + kb, 0) / 1024
}

// The demo target's rate against nginx's for the same answer, each on one core (bar: at least half).
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs, promisify } from 'node:util'
import { startDemoTarget } from '@onrush/servers/demo-target'
import { startNginx } from '@onrush/servers/nginx'

const bar = 0.5
const rounds = 3
const run = promisify(execFile)

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '3' } } })

interface Measured {
  readonly perSecond: number
  /** Per second in which the server's core worked for the server: what else runs on the machine does not change it. */
  readonly perCpuSecond: number
}

async function measure(server: { pid: number }, url: string, seconds = values.seconds): Promise<Measured> {
  const before = cpuSeconds(server.pid)
  const out = await tool('taskset', ['-c', '0', 'wrk', '-t1', '-c64', `-d${seconds}s`, url])
  const worked = cpuSeconds(server.pid) - before
  // A server that answers errors quickly would win.
  const problem = /^ *(?:Non-2xx|Socket errors).*$/m.exec(out)?.[0]
  const [perSecond, requests] = [/Requests\/sec: *([\d.]+)/, /(\d+) requests in/].map(found => found.exec(out)?.[1])
  if (problem !== undefined || perSecond === undefined) throw new Error(`${url}: ${problem ?? out}`)
  return { perSecond: Number(perSecond), perCpuSecond: Number(requests) / worked }
}

/** User and system time of all threads: the 14th and 15th field, counted from behind the name, in hundredths. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function tool(name: string, args: readonly string[]): Promise<string> {
  try {
    return (await run(name, args)).stdout
  } catch (cause) {
    const needs = "needed are Linux, two cores, and taskset and wrk (Debian's packages util-linux and wrk)"
    throw new Error(`${name} ${args.join(' ')} failed; ${needs}`, { cause })
  }
}

const target = await startDemoTarget()
const body = await (await fetch(`${target.url}/json`)).text()
const nginx = await startNginx({ body, say: line => process.stderr.write(`${line}\n`) })

try {
  // All threads: node's helpers must not work on the client's core.
  for (const { pid } of [target, nginx]) await tool('taskset', ['-acp', '1', String(pid)])
  const plain = `${target.url}/json`
  // A query sends the same route through node's own HTTP parser, as most other routes go.
  const parsed = `${target.url}/json?parsed`
  for (const url of [plain, parsed]) await measure(target, url, '1')
  await measure(nginx, nginx.url, '1')

  const ratios: number[] = []
  const show = (one: Measured, yardstick: Measured) =>
    `${(one.perSecond / yardstick.perSecond).toFixed(2)} (${(one.perCpuSecond / yardstick.perCpuSecond).toFixed(2)})`
  console.log("share of nginx's requests per second (and per second of the server's CPU time)")
  for (let round = 1; round <= rounds; round++) {
    const yardstick = await measure(nginx, nginx.url)
    const quick = await measure(target, plain)
    ratios.push(quick.perSecond / yardstick.perSecond)
    const slow = await measure(target, parsed)
    console.log(`round ${round}: /json ${show(quick, yardstick)}, by node's parser ${show(slow, yardstick)}`)
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
  console.log(`median for /json: ${median.toFixed(2)}; the bar is ${bar}: ${median >= bar ? 'met' : 'NOT met'}`)
  if (median < bar) process.exitCode = 1
} finally {
  await Promise.all([target.stop(), nginx.stop()])
}

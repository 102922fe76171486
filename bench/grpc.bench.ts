// gRPC steps beside the bare driver, in the same process against the same server (bar: at least 0.75 of its calls).
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { credentials, loadPackageDefinition, type ServiceClientConstructor } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { runLocal } from '@onrush/engine/run'
import { summarise } from '@onrush/metrics/summary'
import { Totals } from '@onrush/metrics/totals'
import { Simulation } from '@onrush/protocol/simulation'
import { startDemoTarget } from '@onrush/servers/demo-target'

const bar = 0.75
const rounds = 3
const users = 64
/** Seconds. */
const warmUp = 3
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '4' } } })
const proto = fileURLToPath(new URL('../services/demo-target/src/grpc/shop.proto', import.meta.url))
const method = 'shop.Catalog/GetItem'

interface Measured {
  readonly perSecond: number
  /** Per second of this process's own work, whichever thread did it: the server has the other core. */
  readonly perCpuSecond: number
}

class Meter {
  readonly #cpu = process.cpuUsage()
  readonly #began = performance.now()

  measured(calls: number): Measured {
    const { user, system } = process.cpuUsage(this.#cpu)
    return {
      perSecond: (calls * 1000) / (performance.now() - this.#began),
      perCpuSecond: (calls * 1e6) / (user + system),
    }
  }
}

interface BareTask {
  readonly address: string
  readonly random: boolean
  readonly seconds: number
}

/** A client as its documentation shows it, its answers looked at as the step's are. */
async function bareClient({ address, random, seconds }: BareTask, say: (calls: number) => void): Promise<void> {
  const options = { keepCase: true, longs: String, enums: String, bytes: String, defaults: true }
  const { shop } = loadPackageDefinition(loadSync(proto, options))
  const Client = shop !== undefined && 'Catalog' in shop ? (shop.Catalog as ServiceClientConstructor) : undefined
  const GetItem = Client?.service.GetItem
  if (Client === undefined || GetItem === undefined) throw new Error('shop.proto has no Catalog/GetItem')
  const { path, requestSerialize, responseDeserialize } = GetItem
  const client = new Client(address, credentials.createInsecure())
  const get = (message: object): Promise<{ stock: number }> =>
    new Promise((resolve, reject) => {
      client.makeUnaryRequest(path, requestSerialize, responseDeserialize, message, (error, answer) =>
        error === null ? resolve(answer) : reject(error),
      )
    })
  const began = performance.now()
  let calls = 0
  const user = async (): Promise<void> => {
    while (performance.now() - began < (seconds + warmUp) * 1000) {
      const { stock } = await get({ id: random ? 1 + Math.floor(Math.random() * 1000) : 7 })
      if (stock < 0) throw new Error(`stock ${stock}`)
      calls++
    }
  }
  const second = setInterval(() => {
    say(calls)
    calls = 0
  }, 1000)
  await Promise.all(Array.from({ length: users }, user))
  clearInterval(second)
  client.close()
}

/** Counts of each second become a rate, once the warm-up is over: a new thread is cold at first, on both sides. */
class Seconds {
  readonly #most: number
  #seen = 0
  #calls = 0
  #meter: Meter | undefined
  measured: Measured | undefined

  constructor(most: number) {
    this.#most = most
  }

  count(calls: number): void {
    this.#seen++
    if (this.#seen > warmUp + this.#most) return
    if (this.#meter !== undefined) {
      this.#calls += calls
      this.measured = this.#meter.measured(this.#calls)
    } else if (this.#seen === warmUp) this.#meter = new Meter()
  }

  get result(): Measured {
    if (this.measured === undefined) throw new Error('nothing was measured')
    return this.measured
  }
}

async function bare(task: BareTask): Promise<Measured> {
  const seconds = new Seconds(task.seconds)
  const worker = new Worker(new URL(import.meta.url), { workerData: task })
  worker.on('message', (calls: number) => seconds.count(calls))
  const [code] = await once(worker, 'exit')
  if (code !== 0) throw new Error(`the bare client ended with ${code}`)
  return seconds.result
}

async function steps(address: string, message: object, seconds: number): Promise<Measured> {
  const simulation = Simulation.parse({
    grpc: { catalog: { address, proto } },
    inject: [{ type: 'constantConcurrentUsers', users, duration: `${seconds + warmUp + 2}s` }],
    loop: { forever: true },
    scenarios: [
      {
        name: 'a',
        steps: [{ type: 'grpc', name: 'item', method, message, assert: { '$.entity.stock': { $gte: 0 } } }],
      },
    ],
  })
  const counted = new Seconds(seconds)
  const running = runLocal(
    { simulation, source: { spec: simulation }, files: { [proto]: proto } },
    { runId: 'bench', threads: 1 },
    {
      onFrame: frame => {
        const all = new Totals()
        all.add(frame)
        counted.count(summarise(all).steps[0]?.count ?? 0)
      },
    },
  )
  const { totals } = await running.result
  const [step] = summarise(totals).steps
  if (step === undefined || step.ko > 0) throw new Error(`failed calls: ${JSON.stringify(step?.errors)}`)
  return counted.result
}

async function compare(): Promise<void> {
  const target = await startDemoTarget()
  try {
    const seconds = Number(values.seconds)
    const cases = [
      { name: 'a message that never changes', message: { id: 7 }, random: false },
      { name: 'a rendered message', message: { id: '{{randomInt(1, 1000)}}' }, random: true },
    ]
    console.log(`calls per CPU second of one client thread with ${users} sessions (calls per second)`)
    const shown = ({ perSecond, perCpuSecond }: Measured) => `${Math.round(perCpuSecond)} (${Math.round(perSecond)})`
    for (const { name, message, random } of cases) {
      const ratios: number[] = []
      for (let round = 1; round <= rounds; round++) {
        const driver = await bare({ address: target.grpc, random, seconds })
        const ours = await steps(target.grpc, message, seconds)
        ratios.push(ours.perCpuSecond / driver.perCpuSecond)
        console.log(`${name}, round ${round}: bare driver ${shown(driver)}, grpc step ${shown(ours)}`)
      }
      const median = ratios.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
      console.log(`${name}: median ${median.toFixed(2)}; the bar is ${bar}: ${median >= bar ? 'met' : 'NOT met'}`)
      if (median < bar) process.exitCode = 1
    }
  } finally {
    await target.stop()
  }
}

if (isMainThread) await compare()
else await bareClient(workerData as BareTask, calls => parentPort?.postMessage(calls))

import type { ContentPublisher } from '@onrush/fleet/content-publisher'
import { Prefetched, type WorkerCompile } from '@onrush/protocol/compile-outcome'
import type { Contents } from '@onrush/protocol/content'
import type { NodeRecord } from '@onrush/protocol/node'
import type { SimulationEntry } from '@onrush/protocol/simulation-entry'
import type { Registry } from 'onrush/registry'
import type { NodeCalls } from '../fleet/node-calls.ts'

export interface PrefetchNeeds {
  readonly scripts: Registry
  readonly publisher: ContentPublisher
  readonly calls: NodeCalls
}

/** Gigabytes over a slow line take their time; more than this is not warming up any more. */
const callMs = 600_000

/** Lets workers fetch what runs will need, before a run waits for it. */
export class Prefetcher {
  readonly #needs: PrefetchNeeds

  constructor(needs: PrefetchNeeds) {
    this.#needs = needs
  }

  async makeReady(simulations: readonly SimulationEntry[], workers: readonly NodeRecord[]): Promise<WorkerCompile[]> {
    const { scripts, publisher } = this.#needs
    const { say } = scripts.log
    const contents: Contents[] = []
    for (const { name, hash, lastGood } of simulations) {
      if (hash === undefined && lastGood === undefined) continue
      try {
        contents.push((await publisher.publish(await scripts.load(name))).contents)
      } catch (error) {
        const text = `it cannot be sent to workers: ${error instanceof Error ? error.message : String(error)}`
        say({ type: 'line', level: 'warn', text, simulation: name })
      }
    }
    return await Promise.all(workers.map(worker => this.#tell(worker, contents)))
  }

  async #tell(worker: NodeRecord, prefetch: readonly Contents[]): Promise<WorkerCompile> {
    const { calls, scripts } = this.#needs
    const { id } = worker
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prefetch }),
    }
    let result: WorkerCompile
    try {
      const answer = Prefetched.parse(await calls.json(worker, '/api/engine/compile', init, callMs))
      const { ready, fetched, bytes, problems } = answer
      const error = problems.length === 0 ? {} : { error: problems.join('; ') }
      result = { id, ok: problems.length === 0, ready, fetched, bytes, ...error }
    } catch (cause) {
      const error = cause instanceof Error ? cause.message : String(cause)
      result = { id, ok: false, ready: 0, fetched: 0, bytes: 0, error }
    }
    const { ok, ready, fetched, bytes, error } = result
    const text = ok ? `${ready} simulations ready, ${fetched} contents fetched (${bytes} bytes)` : error
    scripts.log.say({ type: 'line', level: ok ? 'info' : 'error', text: `worker ${id}: ${text}` })
    return result
  }
}

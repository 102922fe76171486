import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, type Service } from '../support/fleet.ts'
import { type ApiDocument, fuzz } from '../support/fuzz.ts'
import { type FuzzedFleet, fuzzedFleet } from '../support/fuzzed-fleet.ts'

const each = Number(process.env.FUZZ_REQUESTS ?? 5_000)
const rounds = 10

let fleet: FuzzedFleet
beforeAll(async () => {
  fleet = await fuzzedFleet()
})
afterAll(() => fleet?.stop())

async function residentMb({ child }: Service): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024
}

/** What the service itself says of failures it did not foresee. */
const failuresIn = (log: string): string =>
  log
    .split('\n')
    .filter(line => line.includes('a request failed'))
    .map(line => line.slice(0, 900))
    .join('\n')

describe.each(['r1', 'w1'])('%s', id => {
  test(`answers ${each} hostile requests as documented, with a memory that does not grow`, async () => {
    const service = fleet.service(id)
    const { body: document } = await ask<ApiDocument>(service, 'GET', '/openapi.json')
    const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000)
    const memory: number[] = []
    const statuses: Record<string, number> = {}
    for (let round = 0; round < rounds; round++) {
      const outcome = await fuzz(service.url, document, { requests: Math.ceil(each / rounds), seed: seed + round })
      expect(outcome.problems, failuresIn(service.log())).toEqual([])
      for (const [status, count] of Object.entries(outcome.statuses)) statuses[status] = (statuses[status] ?? 0) + count
      memory.push(Math.round(await residentMb(service)))
    }
    console.log(id, 'seed', seed, statuses, 'MB resident after each round:', memory.join(' '))
    expect(service.child.exitCode).toBeNull()
    expect(service.log()).not.toMatch(/"level":"error"[^\n]*a request failed/)
    expect((await ask(service, 'GET', '/healthz')).status).toBe(200)
    // Compiled code and caches fill at first; after that nothing may be kept for each request.
    const [half = 0, last = 0] = [memory[rounds / 2 - 1], memory.at(-1)]
    expect(last).toBeLessThan(half + 60)
  })
})

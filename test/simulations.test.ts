import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { durationMs } from '@onrush/protocol/duration'
import type { Profile } from '@onrush/protocol/injection'
import type { Simulation } from '@onrush/protocol/simulation'
import type { Summary } from '@onrush/protocol/summary'
import { type DemoTarget, startDemoTarget } from '@onrush/servers/demo-target'
import { loadSimulation } from 'onrush/load-simulation'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createShopFile } from '../services/demo-target/src/sql/shop-file.ts'
import { errorsOf, run, statusesOf } from './support/engine-run.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const folder = resolve(import.meta.dirname, '../simulations')

/** What the target counts a step as: a route, a gRPC method, or the JSON-RPC methods of one call. */
type Counted = string | { grpc: string } | { rpc: string[] } | 'nothing'

/** Every step of every example, and where the target counts it. */
const examples: Record<string, Record<string, Counted>> = {
  'closed-stairs.ts': { slow: 'GET /slow', gzip: 'GET /gzip' },
  'code-steps.ts': { signed: 'POST /echo', page: 'GET /items', 'read pages': 'nothing' },
  'feeder.ts': { 'log in': 'POST /login', item: 'GET /items/:id' },
  'login-flow.ts': {
    'log in': 'POST /login',
    items: 'GET /items',
    item: 'GET /items/:id',
    order: 'POST /orders',
  },
  'mixed-populations.ts': {
    'first page': 'GET /items',
    'any page': 'GET /items',
    edit: 'PUT /echo',
    report: 'GET /chunked',
  },
  'mixed-protocols.ts': {
    'log in': 'POST /login',
    draw: 'nothing',
    item: { grpc: 'shop.Catalog/GetItem' },
    twice: { rpc: ['add'] },
    order: 'POST /orders',
  },
  'open-ramp.ts': { json: 'GET /json' },
  'rpc-streams.yaml': {
    list: { grpc: 'shop.Catalog/ListItems' },
    sum: { grpc: 'shop.Catalog/AddItems' },
    'nothing there': { grpc: 'shop.Catalog/GetItem' },
    batch: { rpc: ['add', 'echo', 'echo'] },
  },
  'several-scenarios.ts': {
    'log in': 'POST /login',
    items: 'GET /items',
    order: 'POST /orders',
    'sold out': 'GET /items/:id',
  },
  'smoke.yaml': { home: 'GET /json', 'log in': 'POST /login', item: 'GET /items/:id' },
  'sql-and-http.yaml': {
    account: 'nothing',
    'log in': 'POST /login',
    'recommended item': 'nothing',
    order: 'POST /orders',
    'keep the order': 'nothing',
  },
  'three-at-once.json': { home: 'GET /json', item: 'GET /items' },
}

/** What `setup` asks for is no load, but the target counts it. */
const setups: Record<string, Record<string, number>> = { 'code-steps.ts': { 'GET /items 200': 1 } }

const lengths = ['duration', 'eachLevelLasting', 'separatedByRampsLasting'] as const

/** The same shape in a sixth of the time. */
function shortened(inject: Profile): Profile {
  const steps = inject.map(step => {
    const shorter = lengths.flatMap(name => {
      const length = name in step ? Object(step)[name] : undefined
      return length === undefined ? [] : [[name, { value: durationMs(length) / 6, unit: 'millisecond' }]]
    })
    return { ...step, ...Object.fromEntries(shorter) }
  })
  return steps as Profile
}

/** Those that hold of the target, not of how fast this machine is: counts and shares, no times. */
function untimed(thresholds: Simulation['thresholds'] = {}): Simulation['thresholds'] {
  const entries = Object.entries(thresholds).map(([metric, checks]) => {
    const kept = checks.filter(each => /^\s*(rate|count)/.test(typeof each === 'string' ? each : each.check))
    return [metric, kept] as const
  })
  return Object.fromEntries(entries.filter(([, kept]) => kept.length > 0))
}

/** In short, and whatever else keeps this machine busy: how punctual it is, is no matter of the examples. */
function inShort(simulation: Simulation): Simulation {
  const scenarios = simulation.scenarios.map(({ inject, ...rest }) =>
    inject === undefined ? rest : { ...rest, inject: shortened(inject) },
  )
  const { inject } = simulation
  return {
    ...simulation,
    generator: { lagP99: '1m' },
    thresholds: untimed(simulation.thresholds),
    scenarios,
    ...(inject === undefined ? {} : { inject: shortened(inject) }),
  }
}

let target: DemoTarget
beforeAll(async () => {
  target = await startDemoTarget()
})
afterAll(() => target.stop())
beforeEach(async () => {
  await target.resetStats()
})

function add(counts: Record<string, number>, key: string, by: number): void {
  if (by > 0) counts[key] = (counts[key] ?? 0) + by
}

/** What the target must have counted, by what the run did. */
function expectedOf(summary: Summary, places: Record<string, Counted>) {
  const routes: Record<string, number> = {}
  const grpc: Record<string, number> = {}
  const rpc: Record<string, number> = {}
  for (const step of summary.steps) {
    const place = places[step.step]
    if (place === undefined) throw new Error(`nobody says where the target counts the step "${step.step}"`)
    if (place === 'nothing') continue
    if (typeof place === 'string') {
      for (const [status, count] of Object.entries(statusesOf(step))) add(routes, `${place} ${status}`, count)
    } else if ('grpc' in place) {
      for (const [code, count] of Object.entries(statusesOf(step))) add(grpc, `${place.grpc} ${code}`, count)
    } else {
      add(routes, 'POST /rpc 200', step.count)
      for (const method of place.rpc) add(rpc, method, step.count)
    }
  }
  return { routes, grpc, rpc }
}

describe('every example runs, passes, and counts what the target counts', () => {
  test('none is left out', () => {
    const files = readdirSync(folder).filter(file => /\.(?:ts|ya?ml|json)$/.test(file))
    expect(files).toEqual(Object.keys(examples))
  })

  test.each(Object.entries(examples))('%s', async (file, places) => {
    const loaded = await loadSimulation(join(folder, file), { cacheDir: await temporaryFolder() })
    const simulation = inShort(loaded.simulation)
    const source = { bundle: loaded.bundle.file, hash: loaded.bundle.hash }
    const env: Record<string, string> = { shop: target.url, rpc: `${target.url}/rpc`, catalog: target.grpc }
    // Only one of the examples means the target's own database; the other one brings its own.
    if (file === 'sql-and-http.yaml') env.db = await createShopFile(join(await temporaryFolder(), 'shop.sqlite'))
    const { result, summary } = await run({ simulation, source, files: loaded.files }, { env })

    expect(errorsOf(summary.whole)).toEqual({})
    expect(result.thresholds.filter(({ passed }) => !passed)).toEqual([])
    expect(result.thresholds.length).toBeGreaterThan(0)
    expect(result).toMatchObject({ cause: 'completed', verdict: 'passed', shard: { imbalances: [], notes: [] } })
    for (const book of result.shard.books) {
      expect(book).toMatchObject({ dropped: 0, cancelled: 0, missed: 0, started: book.planned })
    }
    const ran = summary.steps.filter(({ count }) => count > 0).map(({ step }) => step)
    expect(ran.length).toBeGreaterThan(0)

    const expected = expectedOf(summary, places)
    for (const [key, count] of Object.entries(setups[file] ?? {})) add(expected.routes, key, count)
    const stats = await target.stats()
    expect(stats.responses).toEqual(expected.routes)
    const codes = Object.entries(stats.grpc).flatMap(([method, { codes }]) =>
      Object.entries(codes).map(([code, count]) => [`${method} ${code}`, count]),
    )
    expect(Object.fromEntries(codes)).toEqual(expected.grpc)
    const calls = Object.entries(stats.rpc).map(([method, { completed }]) => [method, completed])
    expect(Object.fromEntries(calls)).toEqual(expected.rpc)
    expect(stats).toMatchObject({ aborted: 0, inFlight: 0 })
  })
})

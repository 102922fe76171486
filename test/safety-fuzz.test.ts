import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, type Service } from './support/fleet.ts'
import { type ApiDocument, fuzz } from './support/fuzz.ts'
import { type FuzzedFleet, fuzzedFleet } from './support/fuzzed-fleet.ts'

let fleet: FuzzedFleet
beforeAll(async () => {
  fleet = await fuzzedFleet()
})
afterAll(() => fleet?.stop())

describe.each(['r1', 'w1'])('%s', id => {
  test('answers some hundred hostile requests as documented, and goes on', async () => {
    const service: Service = fleet.service(id)
    const { body: document } = await ask<ApiDocument>(service, 'GET', '/openapi.json')
    const { statuses, problems } = await fuzz(service.url, document, { requests: 400, seed: 1 })
    expect(problems).toEqual([])
    expect(Object.keys(statuses).length, JSON.stringify(statuses)).toBeGreaterThan(4)
    expect(service.child.exitCode).toBeNull()
    expect(service.log()).not.toMatch(/"level":"error".*a request failed/)
    expect((await ask(service, 'GET', '/healthz')).status).toBe(200)
  })
})

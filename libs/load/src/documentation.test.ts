import { readFileSync } from 'node:fs'
import { Feed } from '@onrush/protocol/feed'
import type { Injection } from '@onrush/protocol/injection'
import { Throttle } from '@onrush/protocol/load'
import { Population } from '@onrush/protocol/plan'
import { expect, test } from 'vitest'
import { feederOrder } from './feeder-order.ts'
import { planOf } from './plan.ts'
import { openThrottle } from './throttle.ts'

// Every example of docs/load-profiles.md is taken at its word: it must be valid, and what stands below it must be true.

const text = readFileSync(new URL('../../../docs/load-profiles.md', import.meta.url), 'utf8')
const examples = [...text.matchAll(/^### (.+)|^## (.+)|^```json\n([\s\S]*?)\n```\n\n((?!#).*)?/gm)]

let heading = ''
const cases: { heading: string; source: string; claim: string }[] = []
for (const [, section, chapter, source, claim] of examples) {
  heading = section ?? chapter ?? heading
  if (source !== undefined) cases.push({ heading, source, claim: claim ?? '' })
}

const seconds = (list: string): number[] => list.split(', ').map(Number)
const rounded = (ms: number): number => Math.round(ms) / 1000

test('the page has its examples', () => {
  expect(cases.length).toBeGreaterThanOrEqual(17)
})

test.each(cases)('$heading: $claim', ({ source, claim }) => {
  const example: { throttle?: unknown; feed?: unknown } = JSON.parse(source)
  const [, arrivals] = /^Arrivals at (.+?) s\./.exec(claim) ?? []
  const [, slots] = /^Slots at (.+?) s, and so on\./.exec(claim) ?? []
  const [, users] = /^Users: (.+)\.$/.exec(claim) ?? []
  const [, rows] = /^Rows: (.+)\.$/.exec(claim) ?? []

  if (slots !== undefined) {
    const pacer = openThrottle(Throttle.parse(example.throttle))
    expect(seconds(slots).map((_, i) => rounded(pacer.dueAt(i + 1)))).toEqual(seconds(slots))
  } else if (rows !== undefined) {
    const feed = Feed.parse(example.feed)
    const all = feed.rows ?? []
    const order = feederOrder(feed, all.length, 1)
    const used = rows.split(', ').map((_, i) => all[order.rowOf(i + 1) ?? all.length]?.user ?? 'none')
    expect(used).toEqual(rows.split(', '))
  } else {
    const plan = planOf(Population.parse({ name: 'documented', scenarios: ['one'], ...example }), 1)
    if (plan.kind === 'open') {
      const due = Array.from({ length: plan.pacer.total }, (_, i) => rounded(plan.pacer.dueAt(i + 1)))
      expect(due).toEqual(seconds(arrivals ?? ''))
    } else if (plan.kind === 'closed') {
      const changes: string[] = []
      for (let t = plan.crowd.nextChangeAfter(-1); t < Infinity; t = plan.crowd.nextChangeAfter(t)) {
        changes.push(`${plan.crowd.usersAt(t)} from ${rounded(t)} s`)
      }
      expect(changes.join(', ')).toBe(users)
    } else {
      expect(plan).toMatchObject({ iterations: 100, users: 8, interruptsAt: 600_000 })
    }
  }
})

const told: Record<Injection['type'], string> = {
  nothingFor: '### nothingFor',
  atOnceUsers: '### atOnceUsers',
  rampUsers: '### rampUsers',
  constantUsersPerSec: '### constantUsersPerSec',
  rampUsersPerSec: '### rampUsersPerSec',
  heavisideUsers: '### heavisideUsers',
  incrementUsersPerSec: '### incrementUsersPerSec',
  constantConcurrentUsers: '### constantConcurrentUsers',
  rampConcurrentUsers: '### rampConcurrentUsers',
  incrementConcurrentUsers: '### incrementConcurrentUsers',
  iterations: '## Iterations',
}

test.each(Object.entries(told))('the page tells of %s', (_, title) => {
  expect(text).toContain(`\n${title}\n`)
})

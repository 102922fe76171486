import { afterAll, beforeAll, expect, it } from 'vitest'
import { ended, Fleet, start, watch } from './support/fleet.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await Fleet.start({ workers: 2 })
})
afterAll(() => fleet?.stop())

it('whoever comes to watch, at whatever moment of a run, hears its end', async () => {
  const reporter = fleet.service('r1')
  for (let round = 0; round < 6; round++) {
    const { runId, links } = await start(reporter, '/api/single', { url: `${fleet.target.url}/json`, iterations: 5 })
    const watchers = [watch(reporter, links.monitor)]
    const over = ended(reporter, runId)
    let isOver = false
    over.finally(() => {
      isOver = true
    })
    // Again and again, so that some come just when the reporter begins to follow the run, or leaves it.
    while (!isOver) {
      watchers.push(watch(reporter, links.monitor))
      await new Promise(done => setTimeout(done, 15))
    }
    expect((await over).status).toBe('finished')
    const codes = await Promise.all(watchers.map(({ closed }) => closed))
    expect(new Set(codes)).toEqual(new Set([1000]))
    for (const { messages } of watchers) {
      const jobs = messages.flatMap(message => ('job' in message ? [message.job] : []))
      expect(jobs.at(-1)).toMatchObject({ status: 'finished' })
    }
  }
})

import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { head, type WatchedTarget, watchedTarget } from './testing/watched-target.ts'

let target: WatchedTarget
beforeEach(async () => {
  target = await watchedTarget()
})
afterEach(() => target.close())

describe('pipelined requests', () => {
  const kinds = [
    { bytes: head('GET /json'), status: 200, response: 'GET /json 200' },
    { bytes: head('GET /template', 'connection: keep-alive'), status: 200, response: 'GET /template 200' },
    { bytes: head('GET /json?a'), status: 200, response: 'GET /json 200' },
    { bytes: head('GET /status/404'), status: 404, response: 'GET /status/:code 404' },
    { bytes: head('POST /echo', 'content-length: 4').concat('\r\n\r\n'), status: 200, response: 'POST /echo 200' },
    { bytes: head('GET /json', 'content-length: 2').concat('{}'), status: 200, response: 'GET /json 200' },
  ]

  it('are answered in order and counted once each, however the bytes are cut', async () => {
    // Quick requests weigh more, so that many are answered before the connection goes to the parser.
    const kind = fc.oneof({ weight: 3, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: fc.nat(kinds.length - 1) })
    await fc.assert(
      fc.asyncProperty(fc.array(kind, { minLength: 1, maxLength: 30 }), fc.array(fc.nat(400)), async (order, sizes) => {
        await target.reset()
        const sent = order.flatMap(i => kinds[i] ?? [])
        const bytes = sent.map(({ bytes }) => bytes).join('')
        const client = await target.connected()
        let at = 0
        for (const size of sizes) {
          await client.send(bytes.slice(at, at + size + 1))
          at += size + 1
        }
        if (at < bytes.length) await client.send(bytes.slice(at))
        const responses = await client.responses(sent.length)
        client.close()
        expect(responses.map(({ status }) => status)).toEqual(sent.map(({ status }) => status))
        const counts: Record<string, number> = {}
        for (const { response } of sent) counts[response] = (counts[response] ?? 0) + 1
        expect(await target.stats()).toMatchObject({ seen: sent.length, completed: sent.length, inFlight: 0 })
        expect((await target.stats()).responses).toEqual(counts)
        expect((await target.stats()).connections.used).toBe(1)
      }),
      { numRuns: 60 },
    )
  })

  it('that nobody reads are not piled up in memory', async () => {
    const client = await target.connected()
    client.socket.pause()
    // Small batches, each taken before the next is sent, so that none is cut and goes to the parser. The kernel takes
    // about 10 MB of answers for a client that does not read; these would make 30 MB.
    let sent = 0
    let stopped = false
    while (!stopped && sent < 150_000) {
      await client.send(head('GET /json').repeat(500))
      sent += 500
      for (let looks = 0; (await target.stats()).seen < sent && !stopped; looks++) {
        if (looks > 50) stopped = true
        await new Promise(resolve => setTimeout(resolve, looks))
      }
    }
    expect(stopped).toBe(true)
    client.close()
    await target.settled()
    const { seen, completed, aborted } = await target.stats()
    expect(completed + aborted).toBe(seen)
    expect(aborted).toBeGreaterThan(0)
  })

  it('are answered to a client that has closed its own side', async () => {
    const client = await target.connected()
    client.socket.end(head('GET /json').repeat(3))
    expect((await client.rest()).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3)
    const other = await target.connected()
    other.socket.end(head('GET /json') + head('GET /items'))
    expect((await other.rest()).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
  })
})

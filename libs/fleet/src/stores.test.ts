import type { Frame } from '@onrush/protocol/frame'
import { linksOf } from '@onrush/protocol/job'
import { describe, expect, it } from 'vitest'
import { getBlob, hashOf, largestBlob, putBlob } from './blobs.ts'
import { appendFrame, dropFrames, readFrames, replaceFrames, sealFrames } from './frame-log.ts'
import { claimKey } from './idempotency.ts'
import { names } from './names.ts'
import { testRedis } from './redis.testing.ts'
import { changeRun, changeWorker, createRun, endedRuns, openRuns, readRun } from './run-store.ts'
import { fleetSecret } from './secret.ts'

const on = testRedis()

const frame = (from: number, to: number): Frame => ({
  v: 1,
  run: 'a',
  covers: [['s0', [[from + 1, to]]]],
  from: from * 1000,
  to: to * 1000,
  counts: { steps: [], groups: [], populations: [], generator: {}, metrics: [], samples: [] },
})

describe('the frames of a shard', () => {
  it('are read in the order in which they came', async () => {
    for (let i = 0; i < 3; i++) await appendFrame(on.redis, 'a', 0, frame(i, i + 1))
    expect(await readFrames(on.redis, 'a', 0)).toEqual([frame(0, 1), frame(1, 2), frame(2, 3)])
  })

  it('can be folded while newer ones stay', async () => {
    for (let i = 0; i < 3; i++) await appendFrame(on.redis, 'a', 0, frame(i, i + 1))
    await replaceFrames(on.redis, 'a', 0, 2, frame(0, 2))
    expect(await readFrames(on.redis, 'a', 0)).toEqual([frame(0, 2), frame(2, 3)])
  })

  it('take nothing more once they are sealed', async () => {
    await appendFrame(on.redis, 'a', 0, frame(0, 1))
    await sealFrames(on.redis, 'a', 0)
    expect(await appendFrame(on.redis, 'a', 0, frame(1, 2))).toBe(false)
    expect(await replaceFrames(on.redis, 'a', 0, 1, frame(0, 2))).toBe(false)
    expect(await readFrames(on.redis, 'a', 0)).toEqual([frame(0, 1)])
  })

  it('are gone when the report is built', async () => {
    await appendFrame(on.redis, 'a', 0, frame(0, 1))
    await dropFrames(on.redis, 'a', 0)
    expect(await readFrames(on.redis, 'a', 0)).toEqual([])
  })
})

describe('an idempotency key', () => {
  it('gives one run to ten calls at once', async () => {
    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, i) => claimKey(on.redis, 'key', 'body', `run-${i}`)),
    )
    expect(new Set(claims.map(claim => claim.run)).size).toBe(1)
    expect(claims.filter(claim => claim.first)).toHaveLength(1)
  })

  it('refuses another body', async () => {
    await claimKey(on.redis, 'key', 'body', 'a')
    await expect(claimKey(on.redis, 'key', 'another', 'b')).rejects.toMatchObject({ code: 'idempotency_conflict' })
  })
})

describe('a blob', () => {
  it('comes back under its hash', async () => {
    const content = Buffer.from([0, 255, 10, 13])
    const hash = await putBlob(on.redis, content)
    expect(hash).toBe(hashOf(content))
    expect(await getBlob(on.redis, hash)).toEqual(content)
    expect(await getBlob(on.redis, hashOf(Buffer.from('x')))).toBeUndefined()
  })

  it('is refused where it does not match its hash', async () => {
    await on.redis.set(names.blob('abc'), 'forged')
    await expect(getBlob(on.redis, 'abc')).rejects.toMatchObject({ code: 'internal' })
  })

  it('is refused where it is too large for Redis', async () => {
    await expect(putBlob(on.redis, Buffer.alloc(largestBlob + 1))).rejects.toMatchObject({ code: 'too_large' })
  })
})

describe('the record of a run', () => {
  const base = {
    runId: 'a',
    name: 'a',
    kind: 'single' as const,
    createdAt: '2026-11-20T10:00:00.000Z',
    plan: { durationMs: 1000, arrivals: 5 },
    links: linksOf('a'),
    ext: { mine: true },
  }

  it('holds what was said at the start and what changed since', async () => {
    await createRun(on.redis, base)
    await changeRun(on.redis, 'a', { status: 'running', startedAt: '2026-11-20T10:00:01.000Z' })
    await changeWorker(on.redis, 'a', { id: 'w2', status: 'running' })
    await changeWorker(on.redis, 'a', { id: 'w1', status: 'lost', error: 'no sign of life for 5 s' })
    expect(await readRun(on.redis, 'a')).toMatchObject({
      ...base,
      status: 'running',
      startedAt: '2026-11-20T10:00:01.000Z',
      workers: [{ id: 'w1', status: 'lost' }, { id: 'w2' }],
    })
  })

  it('moves from the open runs to the ended ones', async () => {
    await createRun(on.redis, base)
    expect((await openRuns(on.redis)).map(job => job.runId)).toEqual(['a'])
    await changeRun(on.redis, 'a', { status: 'stopped', endedAt: '2026-11-20T10:00:09.000Z' })
    expect(await openRuns(on.redis)).toEqual([])
    expect((await endedRuns(on.redis, 10)).map(job => job.status)).toEqual(['stopped'])
  })

  it('is nothing for a run that never was', async () => {
    expect(await readRun(on.redis, 'nobody')).toBeUndefined()
  })
})

it('makes one secret for the whole fleet', async () => {
  const secrets = await Promise.all(Array.from({ length: 5 }, () => fleetSecret(on.redis)))
  expect(new Set(secrets).size).toBe(1)
  expect(Buffer.from(secrets[0] ?? '', 'base64url')).toHaveLength(32)
})

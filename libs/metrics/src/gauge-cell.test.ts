import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { gaugeWords, readGauge, setGauge } from './gauge-cell.ts'

it('a gauge is nothing until it is set, and then the latest', () => {
  const words = new Uint32Array(gaugeWords)
  expect(readGauge(words, 0)).toBeUndefined()
  setGauge(words, 0, 1.5, 100)
  setGauge(words, 0, -(2 ** 60), 200.25)
  expect(readGauge(words, 0)).toEqual({ version: 2, value: -(2 ** 60), at: 200.25 })
})

it('a gauge is never seen half written, and is whole after its writer was killed', async () => {
  const memory = new SharedArrayBuffer(gaugeWords * 4)
  const code = `
    const { workerData, parentPort } = require('node:worker_threads')
    import(workerData.module).then(({ setGauge }) => {
      const words = new Uint32Array(workerData.memory)
      setGauge(words, 0, 0, 0)
      parentPort.postMessage('running')
      // Both halves of the double change with every step.
      for (let i = 1; ; i++) setGauge(words, 0, i * 1e9 + 0.5, -(i * 1e9 + 0.5))
    })`
  const worker = new Worker(code, {
    eval: true,
    workerData: { memory, module: new URL('./gauge-cell.ts', import.meta.url).href },
  })
  await once(worker, 'message')
  const words = new Uint32Array(memory)
  let seen = 0
  for (let i = 0; i < 200_000; i++) {
    const found = readGauge(words, 0)
    if (found === undefined) continue
    seen++
    if (found.value !== -found.at) expect(found).toMatchObject({ value: -found.at })
  }
  expect(seen).toBeGreaterThan(0)
  await worker.terminate()
  const last = readGauge(words, 0)
  expect(last?.value).toBe(-(last?.at ?? 0))
})

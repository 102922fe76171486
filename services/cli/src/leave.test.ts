import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { expect, test } from 'vitest'

const leaveFrom = async (before: string): Promise<unknown> => {
  const code = `
    import process from 'node:process'
    import { Worker } from 'node:worker_threads'
    import { leave } from ${JSON.stringify(new URL('./leave.ts', import.meta.url).href)}
    ${before}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' })
  const [exit] = await once(child, 'exit')
  return exit
}

test('a process that nothing holds ends at once, with its code', async () => {
  expect(await leaveFrom('leave(process, 99, 2 ** 30)')).toBe(99)
})

test('a thread that cannot be ended holds it no longer than so long', async () => {
  const endless = `
    const fill = 'setTimeout(() => { const all = []; for (;;) all.push(new Array(1000).fill(all)) })'
    const limits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 48 }
    const worker = new Worker(fill, { eval: true, resourceLimits: limits })
    worker.on('error', () => undefined)
    setTimeout(() => {
      void worker.terminate()
      leave(process, 96, 200)
    }, 2500)`
  expect(await leaveFrom(endless)).toBe(96)
})

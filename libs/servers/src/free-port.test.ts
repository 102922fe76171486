import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { onFreePort } from './free-port.ts'

it('takes another port when somebody else took the first one meanwhile', async () => {
  const tried: number[] = []
  const port = await onFreePort(async port => {
    tried.push(port)
    if (tried.length > 2) return port
    const other = createServer().listen(port, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    await once(createServer().listen(port, '127.0.0.1'), 'listening')
    return port
  })
  expect(tried).toHaveLength(3)
  expect(new Set(tried).size).toBe(3)
  expect(port).toBe(tried[2])
})

it('gives any other failure to whoever asked', async () => {
  const failing = onFreePort(() => Promise.reject(new Error('no such setting')))
  await expect(failing).rejects.toThrow('no such setting')
})

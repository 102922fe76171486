import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startChild } from './child.ts'

const node = (source: string) => ({
  title: 'the server',
  command: process.execPath,
  args: ['-e', source],
  ready: /ready (\d+)/,
})
const forever = 'setInterval(() => {}, 1000)'

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // No such process.
    return false
  }
}

async function untilGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 200 && isAlive(pid); tries++) await sleep(50)
  return !isAlive(pid)
}

it('answers with what the server announced, and ends it in good order', async () => {
  const child = await startChild(
    node(`process.on('SIGTERM', () => { console.log('bye'); process.exit() }); console.log('ready 7'); ${forever}`),
  )
  expect(child.announced[1]).toBe('7')
  await child.stop()
  expect(child.log()).toContain('bye')
  expect(isAlive(child.pid)).toBe(false)
})

it('ends by force what does not listen', async () => {
  const child = await startChild({
    ...node(`process.on('SIGTERM', () => {}); console.log('ready 1'); ${forever}`),
    stopWithinMs: 200,
  })
  await child.stop()
  expect(isAlive(child.pid)).toBe(false)
})

it('gives the last lines of the log when the server ends instead of starting', async () => {
  await expect(startChild(node('console.error("no space left"); process.exit(3)'))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/the server did not start: it ended at once \(exit code 3\)\n.*no space left/s),
  })
})

it('gives up, and ends it, when the server is not ready in time', async () => {
  const start = startChild({ ...node(`console.log(process.pid); ${forever}`), readyWithinMs: 3000 })
  const error: Error = await start.then(
    () => expect.unreachable(),
    cause => cause,
  )
  expect(error.message).toContain('not ready after 3 s')
  expect(isAlive(Number(/^\d+$/m.exec(error.message)?.[0]))).toBe(false)
})

it('says so when there is nothing to run', async () => {
  await expect(startChild({ ...node(''), command: '/does/not/exist' })).rejects.toThrow('ENOENT')
})

it.each(['SIGKILL', 'SIGTERM'] as const)('ends the server when its parent ends by %s', async signal => {
  const parent = spawn(
    process.execPath,
    [
      '--input-type=module-typescript',
      '-e',
      `import { startChild } from ${JSON.stringify(join(import.meta.dirname, 'child.ts'))}
       const child = await startChild({ title: 'it', command: process.execPath, args: ['-e', "console.log('ready 1'); ${forever}"], ready: /ready/ })
       console.log(child.pid)
       ${forever}`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = await once(parent.stdout.setEncoding('utf8'), 'data')
  const pid = Number(line)
  expect(isAlive(pid)).toBe(true)
  parent.kill(signal)
  expect(await untilGone(pid)).toBe(true)
})

it('does not keep its parent running', async () => {
  const source = `import { startChild } from ${JSON.stringify(join(import.meta.dirname, 'child.ts'))}
    const child = await startChild({ title: 'it', command: process.execPath, args: ['-e', "console.log('ready 1'); ${forever}"], ready: /ready/ })
    console.log(child.pid)`
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  parent.stdout.setEncoding('utf8').on('data', chunk => {
    output += chunk
  })
  expect((await once(parent, 'close'))[0]).toBe(0)
  expect(await untilGone(Number(output))).toBe(true)
})

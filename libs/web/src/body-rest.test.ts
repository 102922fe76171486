import { once } from 'node:events'
import { connect } from 'node:net'
import { Hono } from 'hono'
import { expect, it, onTestFinished } from 'vitest'
import { bodyRest } from './body-rest.ts'
import { listen } from './listen.ts'

/** Refuses everything without reading it. */
async function refusing() {
  const app = new Hono()
  app.use(bodyRest)
  app.post('*', c => c.text('no', 403))
  const listening = await listen(app, '127.0.0.1', 0)
  onTestFinished(() => listening.close())
  const socket = connect(listening.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  let heard = ''
  let isClosed = false
  socket.setEncoding('latin1').on('data', text => {
    heard += text
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    isClosed = true
  })
  return { socket, answers: () => heard.match(/HTTP\/1\.1 403/g)?.length ?? 0, isClosed: () => isClosed }
}

const head = (more: string) => `POST /x HTTP/1.1\r\nhost: 127.0.0.1\r\n${more}\r\n\r\n`
const pause = (ms: number) => new Promise(done => setTimeout(done, ms))

it.each([
  ['declared', 'content-length: 5', 'hello'],
  ['in chunks', 'transfer-encoding: chunked', '5\r\nhello\r\n0\r\n\r\n'],
])('a refused request whose body, %s, comes late leaves its connection to the next one', async (_, field, body) => {
  const { socket, answers, isClosed } = await refusing()
  socket.write(head(field))
  // Longer than the server waits for the rest once it has answered.
  await pause(1_000)
  socket.write(body)
  await expect.poll(answers).toBe(1)
  socket.write(`${head('content-length: 2')}ab`)
  await expect.poll(answers).toBe(2)
  expect(isClosed()).toBe(false)
})

it('a large one is refused at once, and its connection ended', async () => {
  const { socket, answers, isClosed } = await refusing()
  socket.write(head('content-length: 100000000'))
  await expect.poll(answers).toBe(1)
  await expect.poll(isClosed, { timeout: 10_000 }).toBe(true)
})

it('one in chunks that does not end is refused after a part of it', async () => {
  const { socket, answers, isClosed } = await refusing()
  socket.write(head('transfer-encoding: chunked'))
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  for (let i = 0; i < 200 && answers() === 0 && !isClosed(); i++) {
    socket.write(chunk)
    await pause(5)
  }
  await expect.poll(answers).toBe(1)
  await expect.poll(isClosed, { timeout: 10_000 }).toBe(true)
})
